import { isScalar } from '../../model/fields';
import type { Mistake } from '../../model/problem';
import type { FieldType, Json } from '../../model/project';
import { quoted } from '../../model/quoted';
import { broken, fits, scalar } from '../rules/fits';
import { lastName } from '../rules/path';
import { OPPOSITE, type Report, type Rule, ruleAt, type Side, SIDES } from '../rules/rule';
import { type Slot, typeName, type Types, typesOf } from '../rules/slot';
import type { Leaf, LensPlan, Meaning, NumberType } from './plan';
import type { PairPlanner } from './planning';

type Reader = (rule: Rule, hub: Slot, spoke: Slot, planner: PairPlanner) => LensPlan | undefined;

/** The rules that convert one plain value; they check that their fields and options fit. */
export const codecRules: { [name: string]: Reader } = {
  map: mapRule,
  scale: scaleRule,
  cast: castRule,
  join: joinRule,
};

function mapRule(rule: Rule, hub: Slot, spoke: Slot, planner: PairPlanner): LensPlan | undefined {
  const { types, report } = planner;
  const fields = { hub, spoke };
  const compound = SIDES.find((side) => !isScalar(fields[side].type));
  if (compound !== undefined) {
    const { text, type } = fields[compound];
    const message = `map converts single values; ${text} is of type ${typeName(type)}`;
    return planner.problem(
      rule,
      [compound],
      message,
      'a rule on `[]` or `{}` converts every element or value',
    );
  }
  const { values = [], otherwise = {} } = rule.options;
  const pairs = values.map(([key, value]): [Json, Json] => [typed(key, hub.type), value]);
  const wrong = [
    ...pairs.flatMap((pair, index) =>
      SIDES.flatMap((side, i) => misfits(['values', values[index][0]], pair[i], fields[side])),
    ),
    ...SIDES.flatMap((side) => misfits(['otherwise', side], otherwise[side], fields[side])),
  ];
  wrong.forEach(report);
  if (wrong.length > 0) return undefined;
  const uncovered = SIDES.flatMap((side, i) => {
    const values = pairs.map((pair) => pair[i]);
    return otherwise[OPPOSITE[side]] === undefined ? unlisted(fields[side], side, values) : [];
  });
  for (const problem of uncovered) report({ path: ruleAt(rule, 'values'), ...problem });
  return uncovered.length > 0 ? undefined : { kind: 'map', pairs, otherwise, rule };

  function misfits(path: string[], value: Json | undefined, slot: Slot): Parameters<Report>[0][] {
    const problem = value === undefined ? undefined : misfit(value, slot, types);
    return problem === undefined ? [] : [{ path: ruleAt(rule, ...path), ...problem }];
  }
}

/** Returns the problem of a rule `map` that lists no value of the other version for some that a field can have. */
function unlisted(slot: Slot, side: Side, listed: Json[]): Mistake[] {
  const missing = enumerated(slot)?.filter((value) => !listed.includes(value));
  if (missing?.length === 0) return [];
  const where = side === 'hub' ? 'this version' : 'the storage version';
  const otherwise = `\`otherwise: { ${OPPOSITE[side]}: … }\``;
  const names = missing?.map((value) => quoted(value)).join(', ') ?? 'other values';
  const hint =
    missing === undefined
      ? `${slot.text} can have any value: add ${otherwise} for those that are not listed`
      : `add ${missing.length === 1 ? 'it' : 'them'} to values, or ${otherwise} for all that are not listed`;
  return [{ message: `map has no value in ${where} for ${names} of ${slot.text}`, hint }];
}

function scaleRule(rule: Rule, hub: Slot, spoke: Slot, planner: PairPlanner): LensPlan | undefined {
  const other = [hub, spoke].find(({ type }) => !isNumber(type));
  if (other !== undefined) {
    const { text, type } = other;
    const hint =
      type.kind === 'string' ? 'use cast for a string that contains a number or a duration' : undefined;
    const message = `scale converts numbers; ${text} is of type ${typeName(type)}`;
    return planner.problem(rule, [other === hub ? 'hub' : 'spoke'], message, hint);
  }
  return {
    kind: 'scale',
    factor: rule.options.factor!,
    hub: hub.type.kind as NumberType,
    spoke: spoke.type.kind as NumberType,
  };
}

function castRule(rule: Rule, hub: Slot, spoke: Slot, planner: PairPlanner): LensPlan | undefined {
  const { types } = planner;
  const text = scalar(hub.type) === 'string' ? hub : scalar(spoke.type) === 'string' ? spoke : undefined;
  const value = text === hub ? spoke : hub;
  const duration = rule.options.format === 'duration';
  if (text === undefined || !(isNumber(value.type) || (value.type.kind === 'boolean' && !duration))) {
    const wanted = duration
      ? 'a string and a number of seconds'
      : 'a string and an integer, number or boolean';
    const areNumbers = isNumber(hub.type) && isNumber(spoke.type);
    const hint = areNumbers ? 'use scale between two numbers' : 'use map for a few values, custom for more';
    return planner.problem(rule, [], `cast converts between ${wanted}; ${typesOf(hub, spoke)}`, hint);
  }
  const needed = text === hub ? 'spoke' : 'hub';
  const { [needed]: otherwise, ...others } = rule.options.otherwise ?? {};
  const [unneeded] = Object.keys(others);
  if (unneeded !== undefined) {
    const message = `otherwise must be a value of ${value.text}, for strings that cannot be parsed`;
    return planner.problem(rule, ['otherwise', unneeded], message, `write \`otherwise: { ${needed}: … }\``);
  }
  if (otherwise === undefined && text === hub) {
    const message = `cast has no value of ${spoke.text} for strings of ${hub.text} that cannot be parsed`;
    const hint = `add \`otherwise: { spoke: ${valueFor(spoke, types) ?? '…'} }\``;
    return planner.problem(rule, [], message, hint);
  }
  const wrong = otherwise === undefined ? undefined : misfit(otherwise, value, types);
  if (wrong !== undefined) return planner.problem(rule, ['otherwise', needed], wrong.message, wrong.hint);
  const seconds = value.type.kind === 'integer' ? 'duration in whole seconds' : 'duration';
  const meaning = duration ? seconds : (value.type.kind as Meaning);
  return { kind: text === hub ? 'castFromText' : 'castToText', meaning, otherwise };
}

function joinRule(rule: Rule, hub: Slot, spoke: Slot, planner: PairPlanner): LensPlan | undefined {
  const side = joinedSide(hub, spoke);
  if (side !== undefined) return { kind: 'joinList', side, separator: rule.options.separator! };
  const message = 'join needs one string on one side, several strings or a list of strings on the other';
  return planner.problem(rule, [], message, typesOf(hub, spoke));
}

/** Returns the side with a list of strings where the other has one string; undefined for other types. */
export function joinedSide(hub: Slot, spoke: Slot): Side | undefined {
  const isText = ({ type }: Slot) => type.kind === 'string';
  const isList = ({ type }: Slot) => type.kind === 'list' && type.items.type.kind === 'string';
  if (isList(hub) && isText(spoke)) return 'hub';
  return isText(hub) && isList(spoke) ? 'spoke' : undefined;
}

/** A key of `values` as the field's type has it; YAML keys are texts. */
function typed(key: string, type: FieldType): Json {
  if (isNumber(type) && key.trim() !== '' && String(Number(key)) === key) return Number(key);
  if (type.kind === 'boolean') return key === 'true' ? true : key === 'false' ? false : key;
  return key;
}

/** Every value that a field can have, where they are listed. */
export function enumerated({ type, rules }: Slot): Json[] | undefined {
  return type.kind === 'boolean' ? [true, false] : rules.oneof;
}

/** Returns the problem of a value that a rule gives a field, or undefined. */
function misfit(value: Json, slot: Slot, types: Types): Mistake | undefined {
  const message = `${quoted(value)} is not a value of ${slot.text}`;
  if (!fits(value, slot, types)) {
    const hint = needsQuotes(value, slot) ?? needsNoQuotes(value, slot, types) ?? allowed(slot);
    return { message, hint };
  }
  const rule = broken(value, slot, types);
  return rule === undefined ? undefined : { message, hint: `it breaks the rule ${rule}` };
}

/** The hint for `true`, which is no string in YAML without quotes. */
function needsQuotes(value: Json, { type, rules }: Slot): string | undefined {
  if (type.kind !== 'string' || (typeof value !== 'boolean' && typeof value !== 'number')) return undefined;
  const isFine = rules.oneof === undefined || rules.oneof.includes(String(value));
  return isFine ? `write it in quotes: '${value}'` : undefined;
}

/** The hint for `'true'`, which is a string in YAML because of its quotes. */
function needsNoQuotes(value: Json, slot: Slot, types: Types): string | undefined {
  if (typeof value !== 'string') return undefined;
  const meant = typed(value, slot.type);
  const isFine = meant !== value && fits(meant, slot, types) && broken(meant, slot, types) === undefined;
  return isFine ? `write it without quotes: ${value}` : undefined;
}

function allowed(slot: Slot): string {
  const values = enumerated(slot);
  return values
    ? `its values are ${values.map((value) => (typeof value === 'string' ? quoted(value) : String(value))).join(', ')}`
    : `it is of type ${typeName(slot.type)}`;
}

/** Returns a value of a boolean or number that satisfies its rules, for a hint; undefined where none is obvious. */
export function valueFor(slot: Slot, types: Types): Json | undefined {
  if (slot.type.kind === 'boolean') return false;
  const { oneof = [], min, max, gt, lt } = slot.rules;
  const bounds = [min, max, gt !== undefined ? gt + 1 : undefined, lt !== undefined ? lt - 1 : undefined];
  const candidates = [0, ...oneof, ...bounds.filter((bound) => bound !== undefined)];
  return candidates.find((value) => misfit(value, slot, types) === undefined);
}

export function isNumber(type: FieldType): boolean {
  return type.kind === 'integer' || type.kind === 'number';
}

/** Returns the problem of a rule `join` over several fields, or undefined. */
export function wrongJoin(hub: Leaf[], spoke: Leaf[]): Mistake | undefined {
  if (hub.length > 1 && spoke.length > 1) {
    return {
      message: 'join has several fields on both sides',
      hint: 'one side must be a single string; use custom for more',
    };
  }
  const other = [...hub, ...spoke].find(({ slot }) => slot.type.kind !== 'string');
  if (other === undefined) return undefined;
  const { text, type } = other.slot;
  return { message: `join converts strings; ${text} is of type ${typeName(type)}`, hint: 'use custom' };
}

/** Returns the problem of the names of a rule `custom`'s fields, or undefined. */
export function wrongNames(leaves: Leaf[]): Mistake | undefined {
  const names = leaves.map(({ steps }) => lastName(steps));
  const twice = names.find((name, i) => name === '' || names.indexOf(name) !== i);
  if (twice === undefined) return undefined;
  const message = twice === '' ? 'custom must name fields' : `two fields of custom are called ${twice}`;
  return { message, hint: 'the functions receive each field under its last step' };
}
