import { fieldSelector } from '../../templates/client/where';
import { parseFieldSelector } from '../../templates/runtime/data/selecting/field-selector';

// Conditions of the typed client as field selectors, which the service's own parser reads.

const cases: [where: { [field: string]: unknown }, selector: string][] = [
  [{}, ''],
  [{ 'spec.name': 'a' }, 'spec.name=a'],
  [{ 'spec.name': '' }, 'spec.name='],
  [{ 'spec.name': 'a b,(c)\\!' }, 'spec.name=a\\ b\\,\\(c\\)\\\\\\!'],
  [{ a: 1, b: true }, 'a=1,b=true'],
  [{ a: { eq: 1e21 } }, 'a=1e+21'],
  [{ a: { gte: -1, lt: 2.5 } }, 'a>=-1,a<2.5'],
  [{ a: { gt: 1, lte: 2 } }, 'a>1,a<=2'],
  [{ a: { ne: 'x=y' } }, 'a!=x\\=y'],
  [{ a: { in: ['x', ''] }, b: { notIn: [1, 2] } }, 'a in (x,),b notin (1,2)'],
  [{ a: { in: [''] }, b: { notIn: ['x'] } }, 'a=,b!=x'],
  [{ a: { exists: true }, b: { exists: false } }, 'a,!b'],
];
test.each(cases)('%j: %s', (where, selector) => {
  expect(fieldSelector(where)).toBe(selector);
  expect(() => parseFieldSelector(selector)).not.toThrow();
});

test('every character of a value is found again', () => {
  const value = ' ,=!<>()\\ \t\n\0 ü \ud800 in notin';
  expect(parseFieldSelector(fieldSelector({ a: value, b: { in: [value, 'c'] } }))).toEqual([
    { field: 'a', operator: 'in', values: [value] },
    { field: 'b', operator: 'in', values: [value, 'c'] },
  ]);
});

test.each([
  [{ a: undefined }, 'where: a has the condition undefined'],
  [{ a: null }, 'where: a has the condition null'],
  [{ a: { gte: undefined } }, 'where: a has the condition gte: undefined'],
  [{ a: { like: 'x' } }, 'where: a has the condition like: x'],
  [{ a: { in: 'x' } }, 'where: a has the condition in: x'],
  [{ a: ['x'] }, 'where: a has the condition 0: x'],
])('%j is refused, since it would select more than is meant', (where, message) => {
  expect(() => fieldSelector(where)).toThrow(new TypeError(message));
});
