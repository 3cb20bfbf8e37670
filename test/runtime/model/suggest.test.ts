import { closest, editDistance } from '../../../templates/runtime/model/suggest';

const FIELDS = ['name', 'type', 'location', 'model', 'rules', 'default'];

test.each<[string, string | undefined]>([
  ['naem', 'name'],
  ['tpye', 'type'],
  ['ruels', 'rules'],
  ['lcoation', 'location'],
  ['locaton', 'location'],
  ['nam', 'name'],
  ['names', 'name'],
  ['Name', 'name'],
  ['defualt', 'default'],
  ['mean', undefined],
  ['xyz', undefined],
  ['', undefined],
])('%s means %s', (name, want) => {
  expect(closest(name, FIELDS)).toBe(want);
});

test.each<[string, string, number]>([
  ['', 'abc', 3],
  ['abc', 'abc', 0],
  ['ab', 'ba', 1],
  ['abcd', 'badc', 2],
  ['kitten', 'sitting', 3],
  ['ca', 'abc', 3],
])('from %j to %j: %i', (from, to, want) => {
  expect(editDistance(from, to)).toBe(want);
  expect(editDistance(to, from)).toBe(want);
});
