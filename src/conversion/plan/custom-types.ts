import { upperFirst } from '../../code/identifiers';
import { literal, memberName } from '../../code/literal';
import type { Shape } from '../../model/project';
import { lastName } from '../rules/path';
import type { Types } from '../rules/slot';
import { type ConversionPlan, type Leaf, reach, type SeveralLink } from './plan';

/** The context in which types are written. */
interface TypeContext {
  types: Types;
  /** Notes that a type of the runtime is used, and returns its name. */
  use(name: string): string;
}

/** Returns a context for types that are only shown or compared. */
export function shownTypes(types: Types): TypeContext {
  return { types, use: (name) => name };
}

/** Returns the rules `custom` of a plan, with their fields. */
export function customsOf(plan: ConversionPlan): SeveralLink[] {
  return reach(plan).flatMap(({ several }) => several.filter(({ rule }) => rule.name === 'custom'));
}

/** The names of the two interfaces of a rule `custom`. */
export function interfaceNames(rule: string): [hub: string, spoke: string] {
  const name = upperFirst(rule);
  return [`${name}Hub`, `${name}Spoke`];
}

/** The types of the fields that the functions of a rule `custom` take and return. */
export function customInterfaces(link: SeveralLink, plan: ConversionPlan, context: TypeContext): string[] {
  const { name: rule } = link.rule.options;
  const [hub, spoke] = interfaceNames(rule!);
  const text = (name: string, leaves: Leaf[], version: string): string => {
    const members = membersOf(leaves, context).map((member) => `  ${member};\n`);
    return `/** The fields of the rule ${rule} in ${version}. */\nexport interface ${name} {\n${members.join('')}}`;
  };
  return [text(hub, link.hub, plan.hubVersion), text(spoke, link.spoke, plan.spokeVersion)];
}

/** Returns the functions of a rule `custom` as they are declared: two, and two more for the other direction by `inverse`. */
export function customSignatures({ hub, spoke, rule }: SeveralLink, context: TypeContext): string[] {
  const typeOf = (leaves: Leaf[]): string => `{ ${membersOf(leaves, context).join('; ')} }`;
  const { name, inverse } = rule.options;
  const [ours, theirs] = [typeOf(hub), typeOf(spoke)];
  const functions = (prefix: string, inHub: string, inSpoke: string): string[] => [
    `export function ${prefix}ToHub(spoke: ${inSpoke}, stored?: ${inHub}): ${inHub}`,
    `export function ${prefix}FromHub(hub: ${inHub}): ${inSpoke}`,
  ];
  return [
    ...functions(name!, ours, theirs),
    ...(inverse === undefined ? [] : functions(inverse, theirs, ours)),
  ];
}

function membersOf(leaves: Leaf[], context: TypeContext): string[] {
  return leaves.map(({ steps, slot }) => {
    const sure = slot.required && steps.length === 1;
    return `${memberName(lastName(steps))}${sure ? '' : '?'}: ${typeText(slot, context)}`;
  });
}

/** The TypeScript type of a field as a custom function sees it; a type that contains itself ends in JSON. */
function typeText({ type, rules }: Shape, context: TypeContext, inside: string[] = []): string {
  if (rules.oneof !== undefined) return rules.oneof.map((value) => literal(value)).join(' | ');
  switch (type.kind) {
    case 'any':
      return context.use('Json');
    case 'string':
    case 'timestamp':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'list':
      return `Array<${typeText(type.items, context, inside)}>`;
    case 'map':
      return `{ [key: string]: ${typeText(type.values, context, inside)} }`;
    case 'ref':
      if (inside.includes(type.name)) return context.use('JsonObject');
      break;
    case 'object':
  }
  const deeper = type.kind === 'ref' ? [...inside, type.name] : inside;
  const members = context.types.fields(type)!.map((field) => {
    const sure = field.required || field.default !== undefined;
    return `${memberName(field.name)}${sure ? '' : '?'}: ${typeText(field, context, deeper)}`;
  });
  return members.length === 0 ? context.use('JsonObject') : `{ ${members.join('; ')} }`;
}
