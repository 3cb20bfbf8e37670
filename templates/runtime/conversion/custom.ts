import type { JsonObject } from '../schema';
import { several, type Several } from './joining';

/**
 * The two functions of a rule `custom`, in the kind's own file. Fields that are absent are no members; nothing, or
 * a member that is undefined, means absent.
 */
export interface CustomRule<Hub, Spoke> {
  /** A message that it throws is answered 400. `stored` is there where the write changes something stored. */
  toHub(spoke: Spoke, stored?: Hub): Hub;
  /** When it throws, the spoke shows none of the fields. */
  fromHub(hub: Hub): Spoke;
}

/** Told when a `FromHub` function threw: the name of the rule and what it threw. */
export type CustomFailureListener = (name: string, error: unknown) => void;

let listener: CustomFailureListener = (name, error) => console.error(`${name}FromHub threw`, error);

/** Sets who is told when a `FromHub` function throws; the console until then. */
export function onCustomFailure(next: CustomFailureListener): void {
  listener = next;
}

/** The rule `custom`. The names are those of the fields, in each version. */
export function customized<Hub extends object, Spoke extends object>(
  name: string,
  { toHub, fromHub }: CustomRule<Hub, Spoke>,
  fields: { hub: string[]; spoke: string[] },
): Several {
  return several({
    rule: `custom ${name}`,
    fromHub(hub) {
      try {
        return chosen(fromHub(hub as Hub), fields.spoke);
      } catch (error) {
        listener(name, error);
        return {};
      }
    },
    toHub(spoke, stored) {
      const empty = Object.keys(stored).length === 0;
      return chosen(toHub(spoke as Spoke, empty ? undefined : (stored as Hub)), fields.hub);
    },
  });
}

function chosen(result: object, names: string[]): JsonObject {
  const values = result as JsonObject | null | undefined;
  const found: JsonObject = {};
  for (const name of names) {
    const value = values?.[name];
    if (value !== undefined && value !== null) found[name] = value;
  }
  return found;
}
