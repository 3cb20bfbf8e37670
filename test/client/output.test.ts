import { printable } from '../../templates/ctl/output';

test.each([
  ['a\u001b[31m', 'a\\u001b[31m'],
  ['\u2028', '\\u2028'],
  ['\u{e0041}\u{e0042}', '\\u{e0041}\\u{e0042}'],
  ['größe 😀', 'größe 😀'],
])('%j is printed without control characters', (text, want) => {
  expect(printable(text)).toBe(want);
});
