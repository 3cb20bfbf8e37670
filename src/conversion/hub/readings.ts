import { PARTS } from '../../model/fields';
import {
  type Container,
  type ConversionPlan,
  isWhole,
  type LensPlan,
  objectOf,
  type ObjectPlan,
  reach,
} from '../plan/plan';
import { stepsText } from '../rules/path';
import type { Rule } from '../rules/rule';

/** The way in which one field of a spoke is read from fields of the hub. */
interface Reading {
  /** The field of the spoke, or several. */
  spoke: string;
  /** Equal texts mean equal readings. */
  text: string;
  rule: Rule | undefined;
}

/** Returns how the fields of a spoke are read from the hub. Two plans with the same readings read the same of every resource. */
export function readingsOf(plan: ConversionPlan): Reading[] {
  const parts: Reading[] = PARTS.map((part) => ({
    spoke: part,
    text: lensText(plan[part]),
    rule: undefined,
  }));
  return [...parts, ...reach(plan).flatMap((object) => (isCopied(object) ? [] : objectReadings(object)))];
}

/** Returns true for objects that are the same in both versions, field by field. */
function isCopied(
  { links, several, preserved, dropped, hidden, spoke }: ObjectPlan,
  inside: ObjectPlan[] = [],
): boolean {
  if (several.length + preserved.length + dropped.length + hidden.length + spoke.children.length > 0)
    return false;
  return links.every(
    ({ hub, spoke, lens }) =>
      stepsText(hub.steps) === stepsText(spoke.steps) && hub.steps.length === 1 && isCopy(lens, inside),
  );
}

function isCopy(lens: LensPlan, inside: ObjectPlan[] = []): boolean {
  const object = objectOf(lens);
  if (object !== undefined) return inside.includes(object) || isCopied(object, [...inside, object]);
  if (lens.kind === 'list' || lens.kind === 'mapOf') return isWhole(lens) && isCopy(lens.inner, inside);
  return lens.kind === 'copy';
}

function objectReadings({ links, several, spoke }: ObjectPlan): Reading[] {
  const texts = (leaves: { slot: { text: string } }[]) => leaves.map(({ slot }) => slot.text).join(', ');
  return [
    ...links.map(({ hub, spoke, lens, rule }) => ({
      spoke: spoke.slot.text,
      text: `${hub.slot.text} ${lensText(lens)}`,
      rule,
    })),
    ...several.map(({ hub, spoke, rule }) => ({
      spoke: texts(spoke),
      text: `${texts(hub)} ${rule.name} ${rule.options.name ?? rule.options.separator}`,
      rule,
    })),
    ...defaultReadings(spoke),
  ];
}

function defaultReadings({ slot, defaults, children }: Container): Reading[] {
  const own = defaults.map(({ name, value, rule }) => ({
    spoke: `${slot.text}.${name} where it is absent`,
    text: JSON.stringify(value),
    rule,
  }));
  return [...own, ...children.flatMap(defaultReadings)];
}

function lensText(lens: LensPlan): string {
  if (isCopy(lens)) return 'copy';
  switch (lens.kind) {
    case 'copy':
    case 'object':
    case 'type':
      return lens.kind;
    case 'map': {
      const read = new Map(lens.pairs.toReversed());
      return JSON.stringify(['map', [...read].sort(), lens.otherwise.spoke]);
    }
    case 'boxedHub':
    case 'boxedSpoke':
      return JSON.stringify([lens.kind, lensText(lens.inner)]);
    case 'mapAsList':
    case 'listAsMap':
      return JSON.stringify([lens.kind, lensText(lens.inner), lens.index]);
    case 'firstOfHub':
    case 'firstOfSpoke':
      return JSON.stringify([lens.kind, lensText(lens.inner), lens.required]);
    case 'mapOf':
    case 'list': {
      const special = lens.special.map(([key, one]) => [key, lensText(one)]);
      return JSON.stringify([lens.kind, lensText(lens.inner), lens.except, special]);
    }
    case 'scale':
    case 'castFromText':
    case 'joinList':
      return JSON.stringify(lens);
    case 'castToText':
      return JSON.stringify([lens.kind, lens.meaning]);
  }
}
