import type { Json } from '../model';
import type { Rule } from './rule';

/** A rule as it stands in project.yaml. */
export type RawRule = { [name: string]: { [member: string]: Json } };

/** Why something cannot be said by rules, and what to do. */
export interface Refusal {
  message: string;
  hint: string;
}

/** What is not there after all. */
export function isRefusal(value: object): value is Refusal {
  return 'message' in value && 'hint' in value;
}

/** The values of a `map`, each of the type of its field. */
export type Pairs = [hub: Json, spoke: Json][];

/**
 * A rule from where the spoke is the hub and the hub the spoke; undefined when nothing is left to say. `pairs` are
 * those of a rule `map`.
 */
export function invertRule(
  raw: RawRule,
  { name, options }: Rule,
  pairs: Pairs | undefined,
): RawRule | Refusal | undefined {
  const { hub, spoke, ...rest } = raw[name];
  const swapped = { ...(spoke !== undefined && { hub: spoke }), ...(hub !== undefined && { spoke: hub }) };
  switch (name) {
    case 'rename':
    case 'wrap':
    case 'join':
    case 'index':
    case 'default':
      return { [name]: { ...swapped, ...rest } };
    case 'scale':
      return { scale: { ...swapped, factor: inverse(options.factor!) } };
    case 'drop':
      return undefined;
    case 'map':
      return invertMap(swapped, pairs!, options.otherwise ?? {});
    case 'cast': {
      const { otherwise, ...others } = rest;
      if (otherwise !== undefined) return { cast: { ...swapped, ...others } };
      return {
        message:
          'a cast to text becomes a cast from text: it does not say what stands for text that cannot be read',
        hint: 'write the rule in the other direction, with `otherwise: { spoke: … }`',
      };
    }
    case 'custom':
      return {
        message: `the functions of the rule custom ${options.name} convert in the other direction`,
        hint: `write the rule in the other direction, with another name, and its two functions in the kind's file`,
      };
  }
}

/** 1000 for 0.001, not 999.9999999999999. */
function inverse(factor: number): number {
  return Number((1 / factor).toPrecision(15));
}

function invertMap(
  sides: { [side: string]: Json },
  pairs: Pairs,
  otherwise: { hub?: Json; spoke?: Json },
): RawRule | Refusal {
  const values = new Map<Json, Json>();
  const lost: Pairs = [];
  for (const [hub, spoke] of pairs) {
    if (values.has(spoke)) lost.push([hub, spoke]);
    else values.set(spoke, hub);
  }
  // Values that are not listed may all go one way: those that stood for one value with others, and the rest.
  const ways = new Set([
    ...lost.map(([, spoke]) => spoke),
    ...(otherwise.spoke === undefined ? [] : [otherwise.spoke]),
  ]);
  if (ways.size > 1) {
    return {
      message: `several values stand for one: ${lost.map(([hub]) => String(hub)).join(', ')} cannot be told apart in the other direction`,
      hint: 'write the rule in the other direction, with `otherwise` for the values that are not listed',
    };
  }
  const [hub] = ways;
  const rest = {
    ...(hub !== undefined && { hub }),
    ...(otherwise.hub !== undefined && { spoke: otherwise.hub }),
  };
  const written = Object.fromEntries([...values].map(([from, to]) => [String(from), to]));
  return { map: { ...sides, values: written, ...(Object.keys(rest).length > 0 && { otherwise: rest }) } };
}
