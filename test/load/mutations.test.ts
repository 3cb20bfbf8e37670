import { mutantsOf } from '../../scripts/mutants/mutations';

test.each<[source: string, mutants: string[]]>([
  ['if (a < 1) f();', ['a < 1 → !(a < 1)', '< → <=', '1 → (1 + 1)', 'f(); → ;']],
  ["const b = !c ? 'x' : '';", ['!c → !(!c)', '!c → c', "'x' → ''", "'' → 'mutant'"]],
  ['function g() { return h && true; }', ['return h && true; → return;', '&& → ||', 'true → false']],
  ['function g() { return undefined; }', []],
  ["const s = Symbol('a scope'), o = { 'a-b': f('x') };", ["'x' → ''"]],
  ["const d = port('Port to listen on');", []],
  ["run('SELECT uid FROM rows');", ["run('SELECT uid FROM rows'); → ;", "'SELECT uid FROM rows' → ''"]],
  ["import { x } from 'y'; type T = 'z' | 1; export { x } from 'y';", []],
])('the mutants of %j', (source, want) => {
  expect(mutantsOf('a.ts', source).map(({ before, after }) => `${before} → ${after}`)).toEqual(want);
});
