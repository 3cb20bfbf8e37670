import fc from 'fast-check';
import { fromFragment, toFragment } from '../../../templates/runtime/model/fragment';

test.each([
  ['', '#'],
  ['/spec/ports/0', '#/spec/ports/0'],
  ['/spec/attrs/ü x%41', '#/spec/attrs/%C3%BC%20x%2541'],
  ['/spec/a~1b~0c#[]', '#/spec/a~1b~0c%23%5B%5D'],
  ['/spec/\ud800', '#/spec/%EF%BF%BD'],
])('%j is %s', (pointer, fragment) => {
  expect(toFragment(pointer)).toBe(fragment);
});

test('a pointer is what its fragment says', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (pointer) => {
      const fragment = toFragment(pointer);
      expect(fragment).toMatch(/^#(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9A-F]{2})*$/);
      expect(fromFragment(fragment)).toBe(pointer);
    }),
  );
});

test('what is no fragment stays', () => {
  expect([fromFragment('/a%41'), fromFragment('#/a%')]).toEqual(['/a%41', '/a%']);
});
