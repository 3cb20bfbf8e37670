import type { FieldType, Json } from '../model';
import { quoted } from '../quoted';
import { fits } from './fits';
import type { LensPlan, Meaning, NumberType } from './plan';
import type { Report, Rule } from './rule';
import { scalar } from './same-shape';
import { typeName, type Slot, type Types } from './slot';

/** What the rules between two plain values need to be checked. */
export interface CodecContext {
  types: Types;
  report: Report;
}

type Reader = (rule: Rule, hub: Slot, spoke: Slot, context: CodecContext) => LensPlan | undefined;

/** The rules that convert one plain value; they check that their fields and options fit. */
export const codecRules: { [name: string]: Reader } = {
  map: mapRule,
  scale: scaleRule,
  cast: castRule,
  join: joinRule,
};

function mapRule(rule: Rule, hub: Slot, spoke: Slot, { types, report }: CodecContext): LensPlan | undefined {
  const at = (...path: (string | number)[]) => ['conversion', rule.index, 'map', ...path];
  for (const slot of [hub, spoke]) {
    if (isScalar(slot.type)) continue;
    report({
      path: at(slot === hub ? 'hub' : 'spoke'),
      message: `map converts single values; ${slot.text} is of type ${typeName(slot.type)}`,
      hint: 'a rule on `[]` or `{}` converts every element or value',
    });
    return undefined;
  }
  const { values = [], otherwise = {} } = rule.options;
  const pairs = values.map(([key, value]): [Json, Json] => [typed(key, hub.type), value]);
  let fine = true;
  const check = (path: (string | number)[], value: Json, slot: Slot): void => {
    if (fits(value, slot, types)) return;
    fine = false;
    report({
      path: at(...path),
      message: `${quoted(value)} is no value of ${slot.text}`,
      hint: allowed(slot),
    });
  };
  pairs.forEach(([one, other], i) => {
    check(['values', values[i][0]], one, hub);
    check(['values', values[i][0]], other, spoke);
  });
  if (otherwise.hub !== undefined) check(['otherwise', 'hub'], otherwise.hub, hub);
  if (otherwise.spoke !== undefined) check(['otherwise', 'spoke'], otherwise.spoke, spoke);
  const covers = (slot: Slot, side: 'hub' | 'spoke', listed: Json[]): void => {
    const other = side === 'hub' ? 'spoke' : 'hub';
    if (otherwise[other] !== undefined) return;
    const all = enumerated(slot);
    const missing = all?.filter((value) => !listed.includes(value));
    if (missing?.length === 0) return;
    fine = false;
    const what = missing
      ? `${missing.map((value) => quoted(value)).join(', ')} of ${slot.text}`
      : `other values of ${slot.text}`;
    const hint = missing
      ? `add ${missing.length === 1 ? 'it' : 'them'} to values, or \`otherwise: { ${other}: … }\` for all that are not listed`
      : `${slot.text} can have any value: add \`otherwise: { ${other}: … }\` for those that are not listed`;
    report({
      path: at('values'),
      message: `map does not say what ${what} ${missing?.length === 1 ? 'is' : 'are'} in ${side === 'hub' ? 'this version' : 'the storage version'}`,
      hint,
    });
  };
  covers(
    hub,
    'hub',
    pairs.map(([value]) => value),
  );
  covers(
    spoke,
    'spoke',
    pairs.map(([, value]) => value),
  );
  return fine ? { kind: 'map', pairs, otherwise, rule } : undefined;
}

function scaleRule(rule: Rule, hub: Slot, spoke: Slot, { report }: CodecContext): LensPlan | undefined {
  for (const slot of [hub, spoke]) {
    if (isNumber(slot.type)) continue;
    const path = ['conversion', rule.index, 'scale', slot === hub ? 'hub' : 'spoke'];
    const hint =
      slot.type.kind === 'string' ? 'for text that says a number or a duration use cast' : undefined;
    report({ path, message: `scale converts numbers; ${slot.text} is of type ${typeName(slot.type)}`, hint });
    return undefined;
  }
  return {
    kind: 'scale',
    factor: rule.options.factor!,
    hub: hub.type.kind as NumberType,
    spoke: spoke.type.kind as NumberType,
  };
}

function castRule(rule: Rule, hub: Slot, spoke: Slot, { types, report }: CodecContext): LensPlan | undefined {
  const at = (...path: string[]) => ['conversion', rule.index, 'cast', ...path];
  const text = scalar(hub.type) === 'string' ? hub : scalar(spoke.type) === 'string' ? spoke : undefined;
  const value = text === hub ? spoke : hub;
  const duration = rule.options.format === 'duration';
  if (text === undefined || !(isNumber(value.type) || (value.type.kind === 'boolean' && !duration))) {
    const wanted = duration
      ? 'a string and a number of seconds'
      : 'a string and an integer, number or boolean';
    const hint =
      isNumber(hub.type) && isNumber(spoke.type)
        ? 'between two numbers use scale'
        : 'use map for a few values, custom for more';
    report({
      path: at(),
      message: `cast converts between ${wanted}; ${hub.text} is of type ${typeName(hub.type)}, ${spoke.text} of type ${typeName(spoke.type)}`,
      hint,
    });
    return undefined;
  }
  const meaning: Meaning = !duration
    ? (value.type.kind as Meaning)
    : value.type.kind === 'integer'
      ? 'duration in whole seconds'
      : 'duration';
  const otherwise = rule.options.otherwise?.spoke;
  if (text === spoke) {
    if (otherwise !== undefined)
      report({
        path: at('otherwise'),
        message: 'otherwise is not needed: text that cannot be read is refused',
        hint: 'remove it',
      });
    return otherwise === undefined ? { kind: 'castToText', meaning } : undefined;
  }
  if (otherwise === undefined) {
    const preset = value.type.kind === 'boolean' ? 'false' : '0';
    report({
      path: at(),
      message: `cast does not say what ${spoke.text} shows when the text of ${hub.text} cannot be read`,
      hint: `add \`otherwise: { spoke: ${preset} }\``,
    });
    return undefined;
  }
  if (!fits(otherwise, spoke, types)) {
    report({
      path: at('otherwise', 'spoke'),
      message: `${quoted(otherwise)} is no value of ${spoke.text}`,
      hint: allowed(spoke),
    });
    return undefined;
  }
  return { kind: 'castFromText', meaning, otherwise };
}

function joinRule(rule: Rule, hub: Slot, spoke: Slot, { report }: CodecContext): LensPlan | undefined {
  const isTexts = ({ type }: Slot) => type.kind === 'list' && type.items.type.kind === 'string';
  const isText = ({ type }: Slot) => type.kind === 'string';
  const separator = rule.options.separator!;
  if (isTexts(hub) && isText(spoke)) return { kind: 'joinList', side: 'hub', separator };
  if (isText(hub) && isTexts(spoke)) return { kind: 'joinList', side: 'spoke', separator };
  report({
    path: ['conversion', rule.index, 'join'],
    message: 'join needs one string on one side, several strings or a list of strings on the other',
    hint: `${hub.text} is of type ${typeName(hub.type)}, ${spoke.text} of type ${typeName(spoke.type)}`,
  });
  return undefined;
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

function allowed(slot: Slot): string {
  const values = enumerated(slot);
  return values
    ? `its values are ${values.map((value) => quoted(value)).join(', ')}`
    : `it is of type ${typeName(slot.type)}`;
}

export function isNumber(type: FieldType): boolean {
  return type.kind === 'integer' || type.kind === 'number';
}

function isScalar(type: FieldType): boolean {
  return ['string', 'integer', 'number', 'boolean', 'timestamp'].includes(type.kind);
}
