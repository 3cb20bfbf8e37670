import { brokenRule } from './check-value';
import { formats } from './formats';
import { didYouMean } from './hints';
import type { Located } from './located';
import type { Element, Field, FieldType, Json, SharedType } from './model';
import { quoted } from './quoted';

/** Reports defaults that are no valid value of their field, once the defaults inside them are filled in. */
export function checkDefaults(types: SharedType[], places: ReadonlyMap<Field | Element, Located>): void {
  const fieldsOf = new Map(types.map(({ name, fields }) => [name, fields]));
  for (const [field, place] of places) {
    if (!('default' in field) || field.default === undefined) continue;
    new DefaultCheck(fieldsOf, place.get('default')).value(field, field.default, [], [field]);
  }
}

type Steps = readonly (string | number)[];
type Shape = Pick<Element, 'type' | 'rules'>;

class DefaultCheck {
  constructor(
    private readonly fieldsOf: ReadonlyMap<string, Field[]>,
    private readonly place: Located,
  ) {}

  /** `filled` are the fields whose defaults led here. */
  value({ type, rules }: Shape, value: Json, steps: Steps, filled: readonly Field[]): void {
    const expected = mismatch(type, value);
    if (expected !== undefined) {
      const hint = type.kind === 'string' && typeof value !== 'object' ? `quote it: "${value}"` : undefined;
      return this.problem(steps, `is not ${expected}`, hint);
    }
    const broken = brokenRule(value, rules);
    if (broken !== undefined) this.problem(steps, `breaks the rule ${broken}`);
    if (type.kind === 'list') this.list(type, value as Json[], steps, filled);
    if (type.kind === 'map') {
      for (const [key, one] of Object.entries(value as object))
        this.value(type.values, one, [...steps, key], filled);
    }
    if (type.kind === 'object') this.object(type.fields, value as { [name: string]: Json }, steps, filled);
    if (type.kind === 'ref') {
      this.object(this.fieldsOf.get(type.name) ?? [], value as { [name: string]: Json }, steps, filled);
    }
  }

  private list(
    type: FieldType & { kind: 'list' },
    list: Json[],
    steps: Steps,
    filled: readonly Field[],
  ): void {
    list.forEach((item, index) => this.value(type.items, item, [...steps, index], filled));
    if (type.key === undefined) return;
    const seen = new Set<Json>();
    for (const [index, item] of list.entries()) {
      const key = (item as { [name: string]: Json } | null)?.[type.key];
      if (key === undefined) continue;
      if (seen.has(key)) this.problem([...steps, index, type.key], `repeats the key ${quoted(String(key))}`);
      seen.add(key);
    }
  }

  private object(
    fields: Field[],
    value: { [name: string]: Json },
    steps: Steps,
    filled: readonly Field[],
  ): void {
    const names = fields.map(({ name }) => name);
    for (const name of Object.keys(value)) {
      if (names.includes(name)) continue;
      this.problem([...steps, name], 'is no field of its type', didYouMean(name, names));
    }
    for (const field of fields) {
      const given = Object.hasOwn(value, field.name) ? value[field.name] : null;
      const inner = [...steps, field.name];
      if (given !== null) this.value(field, given, inner, filled);
      else if (field.default === undefined) {
        if (field.required) this.problem(steps, `lacks the required field ${quoted(field.name)}`);
      } else if (filled.includes(field)) {
        this.problem(
          steps,
          'contains itself without end',
          `give ${quoted(field.name)} in it, or drop one of the defaults`,
        );
      } else this.value(field, field.default, inner, [...filled, field]);
    }
  }

  private problem(steps: Steps, message: string, hint?: string): void {
    const subject = steps.length === 0 ? 'the default' : `${quoted(shown(steps))} of the default`;
    steps.reduce((place, step) => place.get(step), this.place).problem(`${subject} ${message}`, hint);
  }
}

/** `ports[0].name` */
function shown(steps: Steps): string {
  return steps
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index > 0 ? `.${step}` : step))
    .join('');
}

/** What a value of the type would be, where this is none. */
function mismatch(type: FieldType, value: Json): string | undefined {
  switch (type.kind) {
    case 'any':
      return undefined;
    case 'string':
    case 'boolean':
    case 'number':
      return typeof value === type.kind ? undefined : `a ${type.kind}`;
    case 'integer':
      return Number.isInteger(value) ? undefined : 'an integer';
    case 'timestamp':
      return typeof value === 'string' && formats['date-time'](value)
        ? undefined
        : 'a timestamp such as 2026-01-31T12:00:00Z';
    case 'list':
      return Array.isArray(value) ? undefined : 'a list';
    default:
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'a mapping';
  }
}
