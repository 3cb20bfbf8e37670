import { quoted, visible } from '../../src/model/quoted';

/** Characters that nobody sees, or that turn the direction of text. */
const UNSEEN = [0x7f, 0x85, 0xad, 0x61c, 0x200b, 0x2028, 0x202e, 0x2066, 0xfeff, 0xfff9];

test.each(UNSEEN)('messages show the character %i', (code) => {
  const text = `a${String.fromCharCode(code)}b`;
  expect(quoted(text)).toBe(`"a\\u${code.toString(16).padStart(4, '0')}b"`);
  expect(visible(text)).toBe('a\ufffdb');
});

test.each(['\u0000', '\u001b', '\n'])('a line of a file shows no control', (control) => {
  expect(visible(`a${control}b`)).toBe('a\ufffdb');
});

test('a line of a file has its tabs and its other characters', () => {
  expect(visible('\tä 😀')).toBe('\tä 😀');
});
