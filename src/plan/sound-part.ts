import { isObject } from '../../templates/runtime/model/schema';
import { refsIn } from '../model/json-schema';
import { type Problem, PROJECT_FILE } from '../model/problem';
import type { Field, Json, Kind, KindVersion } from '../model/project';
import { Conversions } from './conversions';
import type { PlannedKind } from './planned-project';

/** Members of a kind that its conversions do not depend on. */
const UNCONVERTED = ['name', 'plural', 'description', 'names', 'columns', 'specVersioning'];

/** The parts of a kind that have problems. */
class Unsound {
  /** Fields of any version, such as `spec.ports`; `types` for what uses shared types. */
  readonly fields = new Set<string>();
  /** Rules, such as `v1beta1.0`. */
  readonly rules = new Set<string>();

  constructor(private readonly planned: PlannedKind) {}

  /** Notes where a problem is. Returns false if nothing can be said of the kind's conversions then. */
  note({ file, path: at }: Problem): boolean {
    const { path } = this.planned;
    if (file !== PROJECT_FILE || at === undefined) return false;
    const [root, group, part, index] = at.map(String);
    if (root !== 'groups' || (group !== undefined && group !== String(path[1])) || part === 'name')
      return true;
    if (part === 'types' && index !== undefined) this.fields.add('types');
    else if (part !== 'kinds' || index === undefined) return false;
    else if (index === String(path[3])) return this.noteInside(at.slice(path.length).map(String));
    return true;
  }

  private noteInside([member, version, part, name]: string[]): boolean {
    if (UNCONVERTED.includes(member)) return true;
    if (part === 'conversion' && version === this.planned.group.storageVersion) return true;
    if (name === undefined || !['spec', 'status', 'conversion'].includes(part)) return false;
    if (part === 'conversion') this.rules.add(`${version}.${name}`);
    else this.fields.add(`${part}.${name}`);
    return true;
  }

  /** Adds the rules that name fields with problems, and the other fields of those: they have no rule then. */
  spread(versions: KindVersion[]): void {
    const rules = versions.flatMap(({ version, conversion }) =>
      conversion.map((rule, index) => ({ id: `${version}.${index}`, fields: fieldsOf(rule) })),
    );
    for (let known = -1; known < this.rules.size;) {
      known = this.rules.size;
      for (const { id, fields } of rules) {
        if (!this.rules.has(id) && !fields.some((field) => this.fields.has(field))) continue;
        this.rules.add(id);
        for (const field of fields) this.fields.add(field);
      }
    }
  }

  /** Returns a version without them. The other rules keep their indices: the list has gaps. */
  without({ version, spec, status, conversion, declared }: KindVersion): KindVersion {
    const sound = (part: string, fields: Field[]): Field[] =>
      fields.filter(
        (field) =>
          !this.fields.has(`${part}.${field.name}`) &&
          !(this.fields.has('types') && refsIn([field]).size > 0),
      );
    const rules: Json[] = [];
    conversion.forEach((rule, index) => {
      if (!this.rules.has(`${version}.${index}`)) rules[index] = rule;
    });
    return {
      version,
      spec: sound('spec', spec),
      status: sound('status', status),
      conversion: rules,
      declared: this.fields.has('types')
        ? []
        : declared.filter(({ path: [part, name] }) => !this.fields.has(`${part}.${name}`)),
    };
  }
}

/**
 * Returns a kind without the fields and rules that have problems, and without the rules that name such fields: the
 * mistakes in the others are reported at once. Returns undefined if nothing can be said of its conversions.
 */
export function soundPart(planned: PlannedKind, problems: Problem[]): PlannedKind | undefined {
  const { group, kind } = planned;
  const unsound = new Unsound(planned);
  if (group.storageVersion === '' || !problems.every((problem) => unsound.note(problem))) return undefined;
  if (unsound.fields.size + unsound.rules.size === 0) return planned;
  unsound.spread(kind.versions);
  const part: Kind = { ...kind, versions: kind.versions.map((version) => unsound.without(version)) };
  return { ...planned, kind: part, conversions: new Conversions(group, part) };
}

/** Returns the fields that a rule names, as it stands in project.yaml. */
function fieldsOf(rule: Json): string[] {
  const members = isObject(rule) ? Object.values(rule)[0] : undefined;
  if (!isObject(members)) return [];
  return [members['hub'], members['spoke']].flat().flatMap((path) => {
    if (typeof path !== 'string') return [];
    const field = /^(?:spec|status)\.[\w-]+/.exec(path);
    return field ? [field[0]] : ['types'];
  });
}
