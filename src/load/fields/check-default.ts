import { fieldsOf } from '../../model/fields';
import { cycles, endingNodes } from '../../model/graph';
import type { Path } from '../../model/problem';
import type { Element, Field, FieldType, Json, Shape, SharedType } from '../../model/project';
import { didYouMean, quoted, textOf } from '../../model/quoted';
import type { Located } from '../yaml/located';
import { brokenRule, mismatch } from './check-value';

/** The number of defaults that one default may fill in: a few lines can stand for billions. */
const MAX_FILLED = 1000;

/** Reports defaults that are no valid value of their field, and those that never end once defaults are filled in. */
export function checkDefaults(types: SharedType[], places: ReadonlyMap<Field | Element, Located>): void {
  const filled = new Map<Field, Field[]>();
  for (const [field, place] of places) {
    if (!('default' in field) || field.default === undefined) continue;
    const check = new DefaultCheck(types, place.get('default'));
    check.value(field, field.default, []);
    filled.set(field, check.filled);
  }
  for (const [field, next = field] of cycles(filled)) {
    const hint = `set ${quoted(next.name)} in it, or remove one of the defaults`;
    places.get(field)!.get('default').problem('the default contains itself endlessly', hint);
  }
  for (const field of tooMany(filled)) {
    const hint = 'write it out, or remove some of the defaults';
    places.get(field)!.get('default').problem(`the default fills in more than ${MAX_FILLED} others`, hint);
  }
}

/** The fields whose defaults fill in too many others, and do so first. */
function tooMany(filled: ReadonlyMap<Field, Field[]>): Field[] {
  const counts = new Map<Field, number>();
  return endingNodes(filled).filter((field) => {
    const count = filled.get(field)!.reduce((sum, next) => sum + 1 + counts.get(next)!, 0);
    counts.set(field, count > MAX_FILLED ? 0 : count);
    return count > MAX_FILLED;
  });
}

class DefaultCheck {
  /** The fields that are absent in the default, and have one themselves. */
  readonly filled: Field[] = [];

  constructor(
    private readonly types: SharedType[],
    private readonly place: Located,
  ) {}

  value({ type, rules }: Shape, value: Json, steps: Path): void {
    const expected = mismatch(type, value);
    if (expected !== undefined) {
      const written = this.at(steps).written ?? textOf(value);
      const hint = type.kind === 'string' && typeof value !== 'object' ? `quote it: "${written}"` : undefined;
      return this.problem(steps, `is not ${expected}`, hint);
    }
    const broken = brokenRule(value, rules);
    if (broken !== undefined) this.problem(steps, `breaks the rule ${cut(broken)}`);
    if (type.kind === 'list') this.list(type, value as Json[], steps);
    if (type.kind === 'map') {
      for (const [key, one] of Object.entries(value as { [key: string]: Json }))
        this.value(type.values, one, [...steps, key]);
    }
    const fields = fieldsOf(type, this.types);
    if (fields) this.object(fields, value as { [name: string]: Json }, steps);
  }

  private list(type: FieldType & { kind: 'list' }, list: Json[], steps: Path): void {
    list.forEach((item, index) => this.value(type.items, item, [...steps, index]));
    if (type.key === undefined) return;
    const preset = fieldsOf(type.items.type, this.types)?.find(({ name }) => name === type.key)?.default;
    const seen = new Set<Json>();
    for (const [index, item] of list.entries()) {
      const key = (item as { [name: string]: Json } | null)?.[type.key] ?? preset;
      if (key === undefined) continue;
      if (seen.has(key)) this.problem([...steps, index, type.key], `repeats the key ${quoted(key)}`);
      seen.add(key);
    }
  }

  private object(fields: Field[], value: { [name: string]: Json }, steps: Path): void {
    const names = fields.map(({ name }) => name);
    for (const name of Object.keys(value)) {
      if (names.includes(name)) continue;
      this.problem([...steps, name], 'is not a field of its type', didYouMean(name, names));
    }
    for (const field of fields) {
      const given = Object.hasOwn(value, field.name) ? value[field.name] : null;
      if (given !== null) this.value(field, given, [...steps, field.name]);
      else if (field.default !== undefined) this.filled.push(field);
      else if (field.required) this.problem(steps, `lacks the required field ${quoted(field.name)}`);
    }
  }

  private problem(steps: Path, message: string, hint?: string): void {
    const subject = steps.length === 0 ? 'the default' : `${quoted(shown(steps))} of the default`;
    this.at(steps).problem(`${subject} ${message}`, hint);
  }

  private at(steps: Path): Located {
    return steps.reduce((place, step) => place.get(step), this.place);
  }
}

/** `ports[0].name` */
function shown(steps: Path): string {
  const parts = steps.map((step, index) =>
    typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${step}`,
  );
  return parts.join('');
}

function cut(rule: string): string {
  return rule.length > 100 ? `${rule.slice(0, 100)}…` : rule;
}
