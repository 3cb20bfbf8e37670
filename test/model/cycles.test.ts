import fc from 'fast-check';
import { cycles, endingNodes, type Graph } from '../../src/model/graph';

/** `a:bc` leads from a to b and c. */
function graph(text: string): Graph<string> {
  return new Map(text.split(' ').map((edges) => [edges[0], [...edges.slice(2)]]));
}

test.each([
  ['a: b:', 'ab', []],
  ['a:b b:c c:', 'cba', []],
  ['a:a', '', ['a']],
  ['a:b b:a', '', ['ab']],
  ['a:b b:c c:b', '', ['bc']],
  ['a:bc b: c:c d:b', 'bd', ['c']],
  ['a:a b:b', '', ['a', 'b']],
  ['a:z', 'a', []],
])('%s ends at %j, with the cycles %j', (given, ending, want) => {
  expect(endingNodes(graph(given)).join('')).toBe(ending);
  expect(cycles(graph(given)).map((cycle) => cycle.join(''))).toEqual(want);
});

test('a graph has a cycle where a node does not end, and each step of a cycle is an edge', () => {
  const edges = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 25 });
  fc.assert(
    fc.property(edges, (pairs) => {
      const given = new Map(
        Array.from({ length: 10 }, (_, node) => [
          node,
          pairs.filter(([from]) => from === node).map(([, to]) => to),
        ]),
      );
      const found = cycles(given);
      expect(found.length > 0).toBe(endingNodes(given).length < given.size);
      for (const cycle of found) {
        for (const [index, node] of cycle.entries()) {
          expect(given.get(node)).toContain(cycle[(index + 1) % cycle.length]);
        }
      }
    }),
  );
});
