import { cycles } from './cycles';
import { listed } from './hints';
import type { Located } from './located';
import type { Element, Field, FieldType, SharedType } from '../model';

/**
 * Reports shared types that no finite value can have: an object that needs another of its own type, which needs
 * another, without end. Optional fields, and lists and maps that may be empty, end such a chain.
 */
export function checkRecursion(types: SharedType[], places: ReadonlyMap<Field | Element, Located>): void {
  const needed = new Map(types.map(({ name, fields }) => [name, neededBy(fields)]));
  for (const cycle of cycles(new Map([...needed].map(([name, fields]) => [name, [...fields.keys()]])))) {
    const fields = cycle.map((name, index) => needed.get(name)!.get(cycle[(index + 1) % cycle.length])!);
    const chain = cycle.map((name, index) => `${name}.${fields[index].name}`);
    const [name] = cycle;
    const shown =
      chain.length === 1 ? `${chain[0]} needs another` : `${listed(chain, ' needs ')} needs another`;
    const hint = 'make one of the fields optional, or a list that may be empty';
    places.get(fields[0])!.keyProblem(`no ${name} can ever be complete: ${shown} ${name}`, hint);
  }
}

/** The shared types without which an object with these fields is incomplete, and the field of it that needs each. */
function neededBy(fields: Field[]): Map<string, Field> {
  const needed = new Map<string, Field>();
  for (const field of fields) {
    if (field.required) for (const name of within(field)) if (!needed.has(name)) needed.set(name, field);
  }
  return needed;
}

function within({ type, rules }: { type: FieldType; rules: Element['rules'] }): Iterable<string> {
  if (type.kind === 'ref') return [type.name];
  if (type.kind === 'object') return neededBy(type.fields).keys();
  if ((rules.min ?? 0) < 1) return [];
  if (type.kind === 'list') return within(type.items);
  return type.kind === 'map' ? within(type.values) : [];
}
