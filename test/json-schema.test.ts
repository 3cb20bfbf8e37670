import type { Schema as Rendered } from '../src/json-schema';
import type { Schema as Read } from '../templates/runtime/schema';

// The compiler does not look into generated schemas: what svcgen writes must be what the runtime reads.
type Same<A, B> = [Required<A>, Required<B>] extends [Required<B>, Required<A>] ? true : false;

test('the generator and the runtime mean the same by a schema', () => {
  const same: Same<Rendered, Read> = true;
  const known: Same<keyof Rendered, keyof Read> = true;
  expect([same, known]).toEqual([true, true]);
});
