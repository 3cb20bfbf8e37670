import type { Mistake } from '../../model/problem';
import type { Json } from '../../model/project';
import type { Rule, Sides } from './rule';

/** A rule as it stands in project.yaml. */
export type RawRule = { [name: string]: { [member: string]: Json } };

/** Why something cannot be said by rules, and what to do. */
export type Refusal = Required<Mistake>;

/** Returns true for a refusal. */
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
  const { hub, spoke, hubs: _, ...rest } = raw[name];
  const sides = swapped({ hub, spoke });
  switch (name) {
    case 'rename':
    case 'wrap':
    case 'join':
    case 'index':
    case 'default':
      return { [name]: { ...sides, ...rest } };
    case 'scale':
      return { scale: { ...sides, factor: factorText(divided([1n, 1n], parseFactor(rest.factor)!)!) } };
    case 'drop':
      return undefined;
    case 'map': {
      // If several values stand for one, the first comes back.
      const inverted = pairs!.map(([hub, spoke]): Pairs[number] => [spoke, hub]);
      return mapRule(sides, inverted, swapped(options.otherwise ?? {}));
    }
    case 'cast': {
      const { otherwise: _, ...others } = rest;
      if (options.otherwise !== undefined)
        return { cast: { ...sides, ...others, otherwise: swapped(options.otherwise) } };
      return {
        message: 'the inverse of a cast to a string needs a value for strings that cannot be parsed',
        hint: 'add one to this rule, such as `otherwise: { hub: 0 }`, or `false` for a boolean; every string is then accepted',
      };
    }
    case 'custom': {
      const inverse = options.inverse;
      if (inverse !== undefined) return { custom: { ...sides, name: inverse, inverse: options.name! } };
      return {
        message: `the rule custom ${options.name} has no functions for the other direction`,
        hint: `add \`inverse: <name>\` to this rule, and the functions <name>ToHub and <name>FromHub of the other direction to the kind's file`,
      };
    }
  }
}

/** A rule `map` of pairs. A value of the hub that several of the spoke stand for has a list of them. */
export function mapRule(sides: Sides, pairs: Pairs, otherwise: Sides): RawRule {
  const values = new Map<Json, Json[]>();
  for (const [hub, spoke] of pairs) {
    const listed = values.get(hub) ?? [];
    if (!listed.includes(spoke)) values.set(hub, [...listed, spoke]);
  }
  const written = [...values].map(([hub, all]) => [String(hub), all.length === 1 ? all[0] : all]);
  return {
    map: {
      ...sides,
      values: Object.fromEntries(written) as Json,
      ...(Object.keys(otherwise).length > 0 && { otherwise }),
    },
  };
}

function swapped({ hub, spoke }: Sides): Sides {
  return { ...(spoke !== undefined && { hub: spoke }), ...(hub !== undefined && { spoke: hub }) };
}

/** The factor of a rule `scale`, exactly: a numerator and a denominator above 0. */
type Factor = [numerator: bigint, denominator: bigint];

/** Reads a factor: a number, or a fraction such as `1/60`. Undefined for another value, and for 0. */
export function parseFactor(given: Json): Factor | undefined {
  const [, one, other = '1'] = /^\s*([^/]+?)\s*(?:\/\s*([^/]+?)\s*)?$/.exec(String(given)) ?? [];
  if (typeof given !== 'number' && typeof given !== 'string') return undefined;
  const [numerator, denominator] = [decimal(one), decimal(other)];
  if (numerator === undefined || denominator === undefined) return undefined;
  const factor = divided(numerator, denominator);
  return factor && Number.isFinite(valueOf(factor)) && valueOf(factor) !== 0 ? factor : undefined;
}

/** Returns one factor divided by another; undefined where that is 0. */
export function divided([a, b]: Factor, [c, d]: Factor): Factor | undefined {
  if (a === 0n || c === 0n) return undefined;
  const [numerator, denominator] = [a * d, b * c];
  const divisor = gcd(numerator, denominator) * (denominator < 0n ? -1n : 1n);
  return [numerator / divisor, denominator / divisor];
}

/** Returns the number that a factor is, or the nearest one. */
export function valueOf([numerator, denominator]: Factor): number {
  return Number(numerator) / Number(denominator);
}

/** Returns a factor as project.yaml has it: a number where one says it exactly, else a fraction. */
export function factorText(factor: Factor): Json {
  const value = valueOf(factor);
  const [numerator, denominator] = decimal(String(value)) ?? [0n, 1n];
  if (numerator * factor[1] !== factor[0] * denominator) return factor.join('/');
  // YAML would write out the digits of a large one.
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? String(value) : value;
}

/** The exact value of a decimal number. */
function decimal(text: string | undefined): Factor | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(text ?? '') ?? [];
  if (sign === undefined || whole + fraction === '') return undefined;
  const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`);
  const power = Number(exponent) - fraction.length;
  return power < 0 ? [digits, 10n ** BigInt(-power)] : [digits * 10n ** BigInt(power), 1n];
}

function gcd(one: bigint, other: bigint): bigint {
  let [a, b] = [one < 0n ? -one : one, other < 0n ? -other : other];
  while (b > 0n) [a, b] = [b, a % b];
  return a;
}
