import { NAME_LENGTH, PLURAL, plural, publicName, RESERVED_PLURALS, uidPrefix } from '../model/names';
import type { Json, Kind, KindVersion, SharedType } from '../model/project';
import { quoted } from '../model/quoted';
import { buildColumns } from './fields/build-columns';
import { buildFields, type FieldContext } from './fields/build-fields';
import type { DeclaredIn } from './fields/declared-fields';
import type { Located } from './yaml/located';

/** The context in which the kinds of a group are built. */
export interface GroupContext {
  name: string;
  versions: string[];
  /** Undefined when it has been reported. */
  storageVersion: string | undefined;
  fields: FieldContext;
  types: SharedType[];
  declaredIn: DeclaredIn;
  /** The plurals of the project so far, and where their kinds stand. */
  plurals: Map<string, Located>;
  /** The names of the kinds of the project so far, in lowercase. */
  kindNames: Set<string>;
  /** True for a project that Kubernetes clients work with: its kinds have unique names and owners of fields. */
  kubernetes: boolean;
}

/** A kind in each version that has it. */
export function buildKind(place: Located, group: GroupContext): Kind {
  const name = place.get('name').text ?? '';
  const history = buildHistory(place.get('specVersioning'));
  const versions = buildVersions(place.get('versions'), name, group, history !== undefined);
  return {
    name,
    group: group.name,
    plural: buildPlural(place, name, group.plurals),
    publicName: publicName(name, group.name, group.kindNames),
    description: place.get('description').text ?? '',
    uidPrefix: uidPrefix(name),
    ownedFields: group.kubernetes,
    uniqueNames: group.kubernetes || place.get('names').text === 'unique',
    // The group knows, once it has all kinds.
    isReferable: false,
    history,
    columns: buildColumns(place.get('columns'), { kind: { history, versions }, ...group }),
    versions,
  };
}

function buildHistory(place: Located): Kind['history'] {
  if (place.absent || place.value === false) return undefined;
  const keep = place.get('keep').value;
  return typeof keep === 'number' ? { keep } : {};
}

function buildPlural(kind: Located, name: string, plurals: Map<string, Located>): string {
  const given = kind.get('plural');
  const result = given.text ?? plural(name);
  const place = given.absent ? kind.get('name') : given;
  const other = plurals.get(result);
  if (place.text === undefined || name === '' || !PLURAL.test(result)) return result;
  if (RESERVED_PLURALS.includes(result)) {
    const hint = given.absent
      ? 'give the kind a "plural"; svcgen add kind has --plural for it'
      : `the service uses ${RESERVED_PLURALS.join(', ')} itself`;
    place.problem(`the plural ${quoted(result)} is reserved`, hint);
  } else if (other === undefined) {
    plurals.set(result, kind.get('name'));
  } else if (other.text !== name || other.file !== kind.file) {
    const hint = `give one of them another "plural"; ${other.text} is at ${other.place}`;
    place.problem(`the kinds ${other.text} and ${name} have the same plural ${quoted(result)}`, hint);
  }
  return result;
}

function buildVersions(place: Located, kind: string, group: GroupContext, history: boolean): KindVersion[] {
  const { versions, storageVersion } = group;
  const given = new Map(place.entries());
  for (const [version, fields] of given) {
    if (versions.includes(version)) continue;
    const hint = 'declare it in the "versions" of the group, or use one of those';
    const message = `version ${shown(version)} not found in group ${group.name}; available: ${versions.join(', ')}`;
    fields.keyProblem(message, hint);
  }
  if (storageVersion !== undefined && place.isMapping && !given.has(storageVersion)) {
    const hint = `every kind must exist in the storage version: add ${storageVersion} with the fields of the kind`;
    place.keyProblem(
      `${kind === '' ? 'this kind' : `the kind ${shown(kind)}`} is missing from the storage version ${storageVersion}`,
      hint,
    );
  }
  return versions
    .filter((version) => given.has(version))
    .map((version) => {
      const built = buildVersion(given.get(version)!, version, group, history);
      return { ...built, declared: group.declaredIn(kind, built) };
    });
}

function buildVersion(
  place: Located,
  version: string,
  group: GroupContext,
  history: boolean,
): Omit<KindVersion, 'declared'> {
  const conversion = place.get('conversion');
  if (version === group.storageVersion && !conversion.absent) {
    const hint = 'write rules under the other versions; they work in both directions';
    conversion.keyProblem(`${version} is the storage version and needs no conversion`, hint);
  }
  conversion.items().forEach((rule) => checkFirstValues(rule.get('map').get('values')));
  const status = place.get('status');
  if (history) checkVersionField(status.get('version'));
  return {
    version,
    spec: buildFields(place.get('spec'), group.fields),
    status: buildFields(status, group.fields),
    conversion: Array.isArray(conversion.value) ? conversion.value : [],
  };
}

/**
 * Reports whole numbers that a rule `map` converts to one value, but that do not stand in ascending order. Objects have
 * them in that order, so that the value would be converted back to another than the first.
 */
function checkFirstValues(values: Located): void {
  const least = new Map<Json, [key: string, place: Located]>();
  for (const [key, place] of values.entries()) {
    for (const spoke of [place.value ?? []].flat()) {
      const [first, firstPlace] = least.get(spoke) ?? [key, place];
      least.set(spoke, [first, firstPlace]);
      if (!place.isBefore(firstPlace)) continue;
      const hint = `write ${first} first, or leave it out and add \`otherwise: { spoke: ${String(spoke)} }\``;
      place.keyProblem(`the whole numbers for ${quoted(spoke)} must stand in ascending order`, hint);
    }
  }
}

/**
 * With spec versioning the service writes a snapshot's id to status.version (specification, "Spec version history").
 */
function checkVersionField(place: Located): void {
  if (place.value === undefined || place.text === 'string') return;
  const declared = place.entries().map(([key]) => key);
  if (place.get('type').text === 'string' && declared.every((key) => ['type', 'description'].includes(key)))
    return;
  const hint = 'remove it, since specVersioning adds it, or declare it as a plain string';
  place.keyProblem('"version" of the status is written by the service', hint);
}

function shown(name: string): string {
  return name.length > NAME_LENGTH || /\W/.test(name) ? quoted(name) : name;
}
