import type { Json, JsonObject } from '../../model/schema';
import { several, type Together } from '../lenses/joining';
import { tellUnconverted } from '../lenses/unconverted';

/**
 * The two functions of a rule `custom`, in the kind's own file. Fields that are absent are no members; nothing, or
 * a member that is undefined, means absent.
 */
interface CustomRule<Hub, Spoke> {
  /** The message of an error that it throws is sent with 400. `stored` is present where the write changes a stored value. */
  toHub(spoke: Spoke, stored?: Hub): Hub;
  /** When it throws, the spoke shows none of the fields. */
  fromHub(hub: Hub): Spoke;
}

/** The rule `custom` between fields of the hub and fields of the spoke; its functions know them by their last names. */
export function custom<Hub extends object, Spoke extends object>(
  name: string,
  hub: string[],
  spoke: string[],
  { toHub, fromHub }: CustomRule<Hub, Spoke>,
): Together {
  const [hubNames, spokeNames] = [hub.map(lastName), spoke.map(lastName)];
  const rule = several({
    rule: `custom ${name}`,
    fromHub(hub) {
      try {
        return chosen(fromHub(structuredClone(hub) as Hub), spokeNames);
      } catch (error) {
        tellUnconverted({ function: `${name}FromHub`, error });
        return {};
      }
    },
    toHub(spoke, stored) {
      const before = Object.keys(stored).length === 0 ? undefined : (structuredClone(stored) as Hub);
      return chosen(toHub(structuredClone(spoke) as Spoke, before), hubNames);
    },
  });
  return { rule, hub, spoke, nameOf: lastName };
}

/** Returns `c` of `a.b.c` and of `a{c}`. */
function lastName(path: string): string {
  return /\{([^}]*)\}$/.exec(path)?.[1] ?? path.slice(path.lastIndexOf('.') + 1);
}

/** Returns the named members in their JSON form. Throws for values that JSON cannot express. */
function chosen(result: object, names: string[]): JsonObject {
  if (Array.isArray(result) || result instanceof Promise)
    throw new TypeError('the result must be an object with the fields, not a list or a promise');
  const values = result as { [name: string]: unknown } | null | undefined;
  const found: JsonObject = {};
  for (const name of names) {
    const value = values?.[name] ?? undefined;
    if (value === undefined) continue;
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined || text === 'null')
      throw new TypeError(`${name} is ${String(value)}, which is not JSON`);
    found[name] = JSON.parse(text) as Json;
  }
  return found;
}
