import type { Located } from './located';
import type { Element, Field, FieldType, SharedType } from './model';

/**
 * Reports shared types that no finite value can have: an object that needs another of its own type, which needs
 * another, without end. Optional fields, and lists and maps that may be empty, end such a chain.
 */
export function checkRecursion(types: SharedType[], places: ReadonlyMap<Field | Element, Located>): void {
  const endless = endlessTypes(types);
  const reported = new Set<SharedType>();
  for (const type of endless.values()) {
    const chain: [SharedType, Field][] = [];
    let current = type;
    while (!reported.has(current)) {
      reported.add(current);
      const field = current.fields.find((one) => needs(one, endless) !== undefined)!;
      chain.push([current, field]);
      current = endless.get(needs(field, endless)!)!;
    }
    const start = chain.findIndex(([member]) => member === current);
    if (start >= 0) report(chain.slice(start), places);
  }
}

function report(cycle: [SharedType, Field][], places: ReadonlyMap<Field | Element, Located>): void {
  const [[type, field]] = cycle;
  const steps = cycle.map(([member, needed]) => `${member.name}.${needed.name}`);
  const message = `no ${type.name} can ever be complete: ${steps.join(' needs ')} needs another ${type.name}`;
  places.get(field)!.keyProblem(message, 'make one of the fields optional, or a list that may be empty');
}

/** The types without a finite value, by name: those left when all that can be completed have been. */
function endlessTypes(types: SharedType[]): Map<string, SharedType> {
  const endless = new Map(types.map((type) => [type.name, type]));
  for (let before = -1; before !== endless.size;) {
    before = endless.size;
    for (const [name, { fields }] of endless) {
      if (fields.every((field) => needs(field, endless) === undefined)) endless.delete(name);
    }
  }
  return endless;
}

/** The endless type without which an object with this field is incomplete. */
function needs(field: Field, endless: ReadonlyMap<string, SharedType>): string | undefined {
  return field.required ? within(field, endless) : undefined;
}

function within(
  { type, rules }: { type: FieldType; rules: Element['rules'] },
  endless: ReadonlyMap<string, SharedType>,
): string | undefined {
  if (type.kind === 'ref') return endless.has(type.name) ? type.name : undefined;
  if (type.kind === 'object') {
    for (const field of type.fields) {
      const name = needs(field, endless);
      if (name !== undefined) return name;
    }
  }
  if ((rules.min ?? 0) < 1) return undefined;
  if (type.kind === 'list') return within(type.items, endless);
  return type.kind === 'map' ? within(type.values, endless) : undefined;
}
