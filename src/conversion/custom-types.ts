import { literal, memberName } from '../literal';
import type { Element } from '../model';
import type { Types } from './slot';

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
