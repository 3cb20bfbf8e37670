import { buildFields, type FieldContext } from './build-fields';
import type { Located } from './located';
import type { Json, Kind, KindVersion } from '../model';
import { PLURAL, plural, RESERVED_PLURALS, uidPrefix } from '../names';
import { quoted } from '../quoted';

/** What the kinds of a group are built with. */
export interface GroupContext {
  name: string;
  versions: string[];
  /** Undefined when it has been reported. */
  storageVersion: string | undefined;
  fields: FieldContext;
  /** The plurals of the project so far, and where their kinds stand. */
  plurals: Map<string, Located>;
}

/** A kind in each version that has it. */
export function buildKind(place: Located, group: GroupContext): Kind {
  const name = place.get('name').text ?? '';
  const history = buildHistory(place.get('specVersioning'));
  return {
    name,
    group: group.name,
    plural: buildPlural(place, name, group.plurals),
    uidPrefix: uidPrefix(name),
    history,
    versions: buildVersions(place.get('versions'), name, group, history !== undefined),
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
      ? 'give the kind a "plural"'
      : `the service uses ${RESERVED_PLURALS.join(', ')} itself`;
    place.problem(`the plural ${quoted(result)} is taken by the service`, hint);
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
    const hint = 'a kind has to exist in the version that is stored';
    place.keyProblem(
      `${kind === '' ? 'this kind' : `the kind ${shown(kind)}`} is missing from the storage version ${storageVersion}`,
      hint,
    );
  }
  return versions
    .filter((version) => given.has(version))
    .map((version) => buildVersion(given.get(version)!, version, group, history));
}

function buildVersion(place: Located, version: string, group: GroupContext, history: boolean): KindVersion {
  const conversion = place.get('conversion');
  if (version === group.storageVersion && conversion.items().length > 0) {
    const hint = 'rules stand under the other versions, and work in both directions';
    conversion.keyProblem(`${version} is the storage version: nothing is converted to it from itself`, hint);
  }
  const status = place.get('status');
  if (history) checkVersionField(status.get('version'));
  return {
    version,
    spec: buildFields(place.get('spec'), group.fields),
    status: buildFields(status, group.fields),
    conversion: Array.isArray(conversion.value) ? (conversion.value as Json[]) : [],
  };
}

/** With spec versioning the service writes a snapshot's id to status.version (requirement, "Spec version history"). */
function checkVersionField(place: Located): void {
  if (place.value === undefined || place.text === 'string') return;
  const declared = place.entries().map(([key]) => key);
  if (place.get('type').text === 'string' && declared.every((key) => ['type', 'description'].includes(key)))
    return;
  const hint = 'leave it out, it is added with specVersioning; or declare it as a plain string';
  place.keyProblem('"version" of the status is written by the service', hint);
}

function shown(name: string): string {
  return name.length > 63 || /\W/.test(name) ? quoted(name) : name;
}
