import { selectableIn } from '../../../templates/runtime/data/plan/kind-plan';
import { memberName, stringLiteral } from '../../code/literal';
import { dataOf, referencesIn } from '../../plan/kind-data';
import { inStorageVersion, type PlannedKind, type VersionSubject } from '../../plan/planned-project';
import { union } from '../text/union';

/** Returns the name that the client imports the types of a version by. */
type ModuleName = (subject: VersionSubject) => string;

/** The type of the fields that requests for a kind in a version can name. */
interface ClientFields {
  name: string;
  text: string;
}

/** Returns the type of the fields that requests for a kind can name; undefined for one without selectable fields. */
export function clientFields(
  subject: PlannedKind & VersionSubject,
  moduleOf: ModuleName,
): ClientFields | undefined {
  const { group, kind, version } = subject;
  const data = dataOf(subject);
  const selectable = data === undefined ? [] : selectableIn(data, version.version);
  if (data === undefined || selectable.length === 0) return undefined;
  const module = moduleOf(subject);
  const start = module[0].toUpperCase() + module.slice(1);
  const names = selectable.map(({ path }) => path.join('.')).filter((name) => !name.startsWith('metadata.'));
  const resource = `${module}.${kind.name}`;
  const references = referencesIn(data, group.storageVersion, version.version).map(
    ({ path, kind: target, isList }) =>
      `    ${memberName(path.join('.'))}: ${targetType(subject, target, moduleOf)}${isList ? '[]' : ''};\n`,
  );
  const expand = references.length === 0 ? 'object;' : `{\n${references.join('')}  };`;
  return {
    name: `${start}Fields`,
    text:
      `${union(`type ${start}Field =`, names.map(stringLiteral))}\n\n` +
      `export interface ${start}Fields {\n` +
      `  where: Where<${resource}, ${start}Field>;\n` +
      `  sort: Sort<${resource}, ${start}Field>;\n` +
      `  expand: ${expand}\n}`,
  };
}

/** Returns the type of a reference's targets: in the version of the reference, or else in the storage version. */
function targetType(
  { group, version, targets }: PlannedKind & VersionSubject,
  name: string,
  moduleOf: ModuleName,
): string {
  const kind = targets.find((each) => each.name === name)!;
  const same = kind.versions.find((each) => each.version === version.version);
  const shown = same === undefined ? inStorageVersion({ group, kind }) : { group, kind, version: same };
  return `${moduleOf(shown)}.${name}`;
}
