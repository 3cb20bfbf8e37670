import { Code, literal, memberName } from '../render/literal';
import type { Element } from '../model';
import { Call, type Expression, upperFirst, value } from './code';
import type { Emitter } from './emit';
import { lastName } from './path';
import type { ConversionPlan, Leaf, SeveralLink } from './plan';
import type { Types } from './slot';

/** The names of the two interfaces of a rule `custom`. */
function interfaceNames(link: SeveralLink): [hub: string, spoke: string] {
  const name = upperFirst(link.rule.options.name!);
  return [`${name}Hub`, `${name}Spoke`];
}

/** The types of the fields that the functions of a rule `custom` take and return. */
export function customInterfaces(link: SeveralLink, plan: ConversionPlan, emitter: Emitter): string[] {
  const [hub, spoke] = interfaceNames(link);
  const text = (name: string, leaves: Leaf[], version: string): string => {
    const members = leaves.map(({ steps, slot }) => {
      const sure = slot.required && steps.length === 1;
      return `  ${memberName(lastName(steps))}${sure ? '' : '?'}: ${typeText(slot, emitter.types, emitter)};\n`;
    });
    const doc = `/** The fields of the rule ${link.rule.options.name} in ${version}. */`;
    return `${doc}\nexport interface ${name} {\n${members.join('')}}`;
  };
  return [text(hub, link.hub, plan.hubVersion), text(spoke, link.spoke, plan.spokeVersion)];
}

/** The rule `custom` as an expression: the two functions of the kind's own file, and the fields by name. */
export function customExpression(link: SeveralLink, emitter: Emitter): Expression {
  const name = link.rule.options.name!;
  const [hub, spoke] = interfaceNames(link);
  const names = (leaves: Leaf[]) => leaves.map(({ steps }) => lastName(steps));
  return new Call(`${emitter.use('customized')}<${hub}, ${spoke}>`, [
    value(name),
    value({ toHub: new Code(`${name}ToHub`), fromHub: new Code(`${name}FromHub`) }),
    value({ hub: names(link.hub), spoke: names(link.spoke) }),
  ]);
}

/** The TypeScript type of a field as a custom function sees it; a type that contains itself ends in JSON. */
export function typeText(
  { type, rules }: Pick<Element, 'type' | 'rules'>,
  types: Types,
  uses: { use(name: string): string },
  inside: string[] = [],
): string {
  if (rules.oneof !== undefined) return rules.oneof.map((value) => literal(value)).join(' | ');
  switch (type.kind) {
    case 'any':
      return uses.use('Json');
    case 'string':
    case 'timestamp':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'list':
      return `Array<${typeText(type.items, types, uses, inside)}>`;
    case 'map':
      return `{ [key: string]: ${typeText(type.values, types, uses, inside)} }`;
    case 'ref':
      if (inside.includes(type.name)) return uses.use('JsonObject');
  }
  const deeper = type.kind === 'ref' ? [...inside, type.name] : inside;
  const members = types.fields(type)!.map((field) => {
    const sure = field.required || field.default !== undefined;
    return `${memberName(field.name)}${sure ? '' : '?'}: ${typeText(field, types, uses, deeper)}`;
  });
  return members.length === 0 ? uses.use('JsonObject') : `{ ${members.join('; ')} }`;
}
