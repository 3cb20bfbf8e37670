import type { Json, JsonObject } from '../schema';
import { several, type Several } from './joining';
import { tellUnconverted } from './unconverted';

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
        return chosen(fromHub(structuredClone(hub) as Hub), fields.spoke);
      } catch (error) {
        tellUnconverted({ function: `${name}FromHub`, error });
        return {};
      }
    },
    toHub(spoke, stored) {
      const before = Object.keys(stored).length === 0 ? undefined : (structuredClone(stored) as Hub);
      return chosen(toHub(structuredClone(spoke) as Spoke, before), fields.hub);
    },
  });
}

/** The named members as JSON has them. Throws for what JSON cannot have. */
function chosen(result: object, names: string[]): JsonObject {
  const values = result as { [name: string]: unknown } | null | undefined;
  const found: JsonObject = {};
  for (const name of names) {
    const text = JSON.stringify(values?.[name]) as string | undefined;
    if (text !== undefined && text !== 'null') found[name] = JSON.parse(text) as Json;
  }
  return found;
}
