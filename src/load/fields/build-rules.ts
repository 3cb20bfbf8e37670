import { SCALARS, typeWords } from '../../model/fields';
import type { Mistake } from '../../model/problem';
import type { FieldType, Rules } from '../../model/project';
import { didYouMean, quoted } from '../../model/quoted';
import type { FieldRule } from '../../model/rule-names';
import { patternProblem } from '../../pattern/pattern';
import type { Located } from '../yaml/located';
import { brokenRule, unsatisfiable } from './check-value';

type TypeName = FieldType['kind'];

/** The rules of a field. */
export interface DeclaredRules {
  rules: Rules;
  required: boolean;
  /** The rules that the store enforces. */
  stored: { unique?: true; immutable?: true };
}

/** A rule while it is read: where it stands, its argument, and the type that it is for. */
interface Rule {
  place: Located;
  argument: string;
  type: TypeName;
}

interface RuleKind {
  types: readonly TypeName[];
  /** The form of the value behind `=`, for messages; undefined where none is allowed. */
  argument?: string;
  /** Returns the rule; reports a wrong argument, and returns undefined then. */
  read(rule: Rule): Rules | undefined;
}

const NUMBERS: readonly TypeName[] = ['integer', 'number'];
const SIZED: readonly TypeName[] = ['string', 'integer', 'number', 'list', 'map'];
const STRING: readonly TypeName[] = ['string'];
const ALL: readonly TypeName[] = [...SIZED, 'boolean', 'timestamp', 'any', 'object', 'ref'];

/** The rules of the specification ("Kind-specific spec and status"), `pattern`, and the two that the store enforces. */
const RULES: { readonly [name: string]: RuleKind } = {
  required: { types: ALL, read: () => ({}) },
  min: { types: SIZED, argument: 'N', read: bound('min') },
  max: { types: SIZED, argument: 'N', read: bound('max') },
  gt: { types: NUMBERS, argument: 'N', read: bound('gt') },
  lt: { types: NUMBERS, argument: 'N', read: bound('lt') },
  email: { types: STRING, read: () => ({ format: 'email' }) },
  url: { types: STRING, read: () => ({ format: 'url' }) },
  ip: { types: STRING, read: () => ({ format: 'ip' }) },
  oneof: { types: ['string', 'integer'], argument: 'a b c', read: oneof },
  pattern: { types: STRING, argument: '<regular expression>', read: pattern },
  unique: { types: SCALARS, read: () => ({}) },
  immutable: { types: ALL, read: () => ({}) },
} satisfies { [name in FieldRule]: RuleKind };

/** The rules at `place`, for a field, or an element of a list or map, of the given type; undefined when that is unknown. */
export function buildRules(
  place: Located,
  type: TypeName | undefined,
  owner: 'field' | 'element',
): DeclaredRules {
  const found = new Map<string, Located>();
  const rules: Rules = {};
  let last = '';
  for (const item of place.items()) {
    const { text } = item;
    if (text === undefined) continue;
    const [, name, argument] = /^([^=]*)=?(.*)$/s.exec(text)!;
    const kind = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
    const wrong = kind === undefined ? unknownRule(text, name, last) : misuse(text, name, found, owner, type);
    if (wrong !== undefined) item.problem(wrong.message, wrong.hint);
    else if (type !== undefined) {
      found.set(name, item);
      Object.assign(rules, kind!.read({ place: item, argument, type }));
    }
    // Several commas cut several values from one oneof.
    last = kind === undefined && last.startsWith('oneof=') ? `${last} ${text}` : text;
  }
  if (type !== undefined) checkTogether(type, rules, found);
  const stored = {
    ...(found.has('unique') && { unique: true as const }),
    ...(found.has('immutable') && { immutable: true as const }),
  };
  return { rules, required: found.has('required'), stored };
}

/** The names in the order of the documentation. */
const NAMES = Object.keys(RULES);

/** Returns how a known rule is written. */
function usage(name: string): string {
  const { argument } = RULES[name];
  return argument === undefined ? name : `${name}=${argument}`;
}

/** Declarations that are keys of a field, as they are written. */
const KEYS: ReadonlyMap<string, string> = new Map([
  ['selectable', 'selectable: true'],
  ['ref', 'ref: <Kind>'],
  ['default', 'default: <value>'],
]);

/** `last` is the rule before it: a comma ends a pattern that has no quotes, and a value of oneof. */
function unknownRule(text: string, name: string, last: string): Mistake {
  const message = `unknown rule ${quoted(name)}`;
  if (last.startsWith('pattern=')) {
    const whole = `${last}, ${text}`.replaceAll("'", "''");
    return { message, hint: `if it belongs to the pattern, write all of it in single quotes: '${whole}'` };
  }
  const isValue = last.startsWith('oneof=');
  const key = isValue ? undefined : KEYS.get(name);
  if (key !== undefined) return { message, hint: `it is a key of the field: write ${key} next to rules` };
  const known = isValue
    ? `if it is a value of oneof, separate values by spaces: ${last} ${text}`
    : `the rules are ${NAMES.map(usage).join(', ')}`;
  return { message, hint: didYouMean(name.trim(), NAMES, known, usage) };
}

/** Returns what is wrong with a known rule, except for its value. */
function misuse(
  text: string,
  name: string,
  found: ReadonlyMap<string, Located>,
  owner: 'field' | 'element',
  type: TypeName | undefined,
): Mistake | undefined {
  const { types, argument } = RULES[name];
  const isGiven = text.includes('=');
  if (found.has(name)) return { message: `the rule ${name} is given twice`, hint: 'keep one of them' };
  if (argument === undefined && isGiven)
    return { message: `the rule ${name} takes no value`, hint: `write ${name}` };
  if (argument !== undefined && !isGiven)
    return { message: `the rule ${name} needs a value`, hint: `write ${usage(name)}` };
  if (owner === 'element' && Object.hasOwn(OF_FIELDS, name)) return OF_FIELDS[name];
  if (type === undefined || types.includes(type)) return undefined;
  const known = NAMES.filter((rule) => RULES[rule].types.includes(type));
  const message = `the rule ${name} does not apply to ${typeWords(type)}`;
  return { message, hint: `it can have ${known.map(usage).join(', ')}` };
}

/** The rules that only fields can have, with what is wrong with them at an element. */
const OF_FIELDS: { readonly [name: string]: Mistake } = {
  required: {
    message: 'an element is never absent, so it cannot be required',
    hint: 'use min=1 on the list or map to require an element',
  },
  unique: {
    message: 'the rule unique applies to a field, not to an element',
    hint: 'remove it; the values of a single field can be unique within the kind',
  },
  immutable: {
    message: 'the rule immutable applies to a field, not to an element',
    hint: 'write it at the list or map, which then cannot change as a whole',
  },
};

const LARGEST = `the largest is ${Number.MAX_SAFE_INTEGER}`;
const WHOLE = /^(-?[1-9]\d*|0)$/;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

function bound(name: 'min' | 'max' | 'gt' | 'lt'): RuleKind['read'] {
  return ({ place, argument, type }) => {
    const value = Number(argument) + 0;
    const length = !NUMBERS.includes(type);
    if (!NUMBER.test(argument) || !Number.isFinite(value)) {
      place.problem(`${quoted(argument)} is not a number`, `write ${name}=1 for example`);
    } else if (type !== 'number' && !Number.isInteger(value)) {
      place.problem(`${name} of the type ${type} must be a whole number`);
    } else if (type !== 'number' && !Number.isSafeInteger(value)) {
      place.problem(`${quoted(argument)} is too large to be exact`, LARGEST);
    } else if (length && value < 0) {
      place.problem(
        `${name} bounds ${type === 'string' ? 'a length' : 'a number of members'}, which is never negative`,
      );
    } else {
      return { [name]: value };
    }
    return undefined;
  };
}

function oneof({ place, argument, type }: Rule): Rules | undefined {
  const words = argument.split(' ').filter((word) => word !== '');
  const seen = new Set<string>();
  const twice = words.find((word) => seen.has(word) || !seen.add(word));
  const isWrong = (word: string): boolean => !WHOLE.test(word) || !Number.isSafeInteger(Number(word));
  const wrong = type === 'integer' ? words.find(isWrong) : undefined;
  if (words.length === 0)
    place.problem('oneof has no values', 'write oneof=a b c, with spaces between the values');
  else if (wrong !== undefined)
    place.problem(
      `${quoted(wrong)} is ${WHOLE.test(wrong) ? 'too large to be exact' : 'not a whole number'}`,
      WHOLE.test(wrong) ? LARGEST : 'the field is an integer',
    );
  else if (twice !== undefined)
    place.problem(`oneof has ${quoted(twice)} twice`, 'values are separated by spaces');
  else return { oneof: type === 'integer' ? words.map(Number) : words };
  return undefined;
}

function pattern({ place, argument }: Rule): Rules | undefined {
  const problem = patternProblem(argument);
  if (problem === undefined) return { pattern: argument };
  place.problem(problem.message, problem.hint);
  return undefined;
}

/** The lengths that values of a format can have: the shortest are `a@b.c`, `a://b` and `::`. */
const LENGTHS: { readonly [format: string]: { least: number; most: number } } = {
  email: { least: 5, most: 254 },
  url: { least: 5, most: Infinity },
  ip: { least: 2, most: 45 },
};

/** Reports a bound that leaves no length for values of a format. */
function checkLength(format: string, { min = 0, max = Infinity }: Rules, found: Map<string, Located>): void {
  const { least, most } = LENGTHS[format];
  const never = `no value can satisfy ${format} and`;
  if (max < least)
    found.get('max')!.problem(`${never} max=${max}`, `its values have at least ${least} characters`);
  if (min > most)
    found.get('min')!.problem(`${never} min=${min}`, `its values have at most ${most} characters`);
}

/** Reports rules that no value can satisfy together. */
function checkTogether(type: TypeName, rules: Rules, found: Map<string, Located>): void {
  const formats = ['email', 'url', 'ip'].filter((name) => found.has(name));
  const { oneof, ...others } = rules;
  if (formats.length > 1) {
    found.get(formats[1])!.problem(`no value is both ${formats[0]} and ${formats[1]}`, 'keep one of them');
  }
  const bounds = ['min', 'max', 'gt', 'lt'].filter((name) => found.has(name)).map((name) => found.get(name)!);
  const domain = type === 'integer' || type === 'number' ? type : 'length';
  if (unsatisfiable(domain, rules)) {
    const shown = bounds.map(({ text }) => text).join(' and ');
    bounds.at(-1)!.problem(`no value can satisfy ${shown}`, 'there is nothing between the bounds');
  } else if (oneof?.every((value) => brokenRule(value, others) !== undefined)) {
    const hint = `the first breaks ${brokenRule(oneof[0], others)}`;
    found.get('oneof')!.problem('every value of oneof breaks another rule of the field', hint);
  } else if (formats.length === 1) {
    checkLength(formats[0], rules, found);
  }
}
