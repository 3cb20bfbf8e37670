import { same } from './conversion/values';
import type { Failure } from './problem';
import type { Json } from './schema';

/**
 * The failures of what a client has changed: a value that it sends back as it was is accepted, even where the
 * rules of this version are stricter than those it was written by. `before` is the part of the resource as the
 * client read it, undefined on create. Pointers start with the name of the part.
 */
export function forgive(failures: Failure[], after: Json, before: Json | undefined): Failure[] {
  if (before === undefined) return failures;
  return failures.filter(({ pointer }) => {
    const path = pointer
      .split('/')
      .slice(2)
      .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));
    // A field that is missing was missing before only if what holds it was there.
    const wasThere = path.length === 0 || isContainer(valueAt(before, path.slice(0, -1)));
    return !wasThere || !same(valueAt(before, path), valueAt(after, path));
  });
}

function valueAt(value: Json | undefined, path: string[]): Json | undefined {
  let at = value;
  for (const step of path) {
    if (!isContainer(at) || !Object.hasOwn(at, step)) return undefined;
    at = (at as { [key: string]: Json })[step];
  }
  return at;
}

function isContainer(value: Json | undefined): value is object & Json {
  return typeof value === 'object' && value !== null;
}
