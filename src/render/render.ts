import { copiedFiles } from './copied-files';
import { digestOf } from '../cache/digest';
import type { Project } from '../model';
import type { KindSubject } from './kind-files';
import { type Output, OUTPUTS, type OutputFile } from './outputs';
import { GENERATED_HEADER } from '../write/ownership';

/** A file that is rendered once its text is asked for. */
export interface PlannedFile extends Pick<OutputFile, 'path' | 'owner'> {
  /** A digest of all that the text is made of: where path and source are equal, the text is too. */
  source: string;
  /** Renders the text. */
  text(): string;
}

/** Every file of the project, complete, in the order of their paths. The same project gives the same files. */
export function render(project: Project): OutputFile[] {
  return planFiles(project).map(({ path, owner, text }) => ({ path, text: text(), owner }));
}

/** A kind as its files see it, and a digest of all that they see. */
export interface PlannedKind {
  subject: KindSubject;
  source: string;
}

/** The kinds of a project, in the order of the file. */
export function planKinds(project: Project): PlannedKind[] {
  // A kind's files are made of the kind and its group: what they cannot see, they cannot depend on.
  return project.groups.flatMap((group) => {
    const shared = digestOf(JSON.stringify({ ...group, kinds: [] }));
    return group.kinds.map((kind) => ({
      subject: { group: { ...group, kinds: [kind] }, kind },
      source: digestOf(shared, JSON.stringify(kind)),
    }));
  });
}

/** Every file of the project, in the order of their paths. */
export function planFiles(project: Project, kinds = planKinds(project)): PlannedFile[] {
  const converted = kinds.filter(({ subject }) => subject.kind.versions.length > 1);
  const versions = kinds.flatMap(({ subject, source }) =>
    subject.kind.versions.map((version) => ({ subject: { ...subject, version }, source })),
  );
  const spokes = versions.filter(
    ({ subject: { group, version } }) => version.version !== group.storageVersion,
  );
  const copied = copiedFiles().map((path) => ({ subject: path, source: '' }));
  const files = [
    ...rows(OUTPUTS.project, [{ subject: project, source: digestOf(JSON.stringify(project)) }]),
    ...rows(OUTPUTS.kind, kinds),
    ...rows(OUTPUTS.version, versions),
    ...rows(OUTPUTS.convertedKind, converted),
    ...rows(OUTPUTS.spoke, spokes),
    ...rows(OUTPUTS.copied, copied),
  ];
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function rows<Subject>(
  outputs: Output<Subject>[],
  subjects: { subject: Subject; source: string }[],
): PlannedFile[] {
  return subjects.flatMap(({ subject, source }) =>
    outputs.map(([owner, pathOf, text]) => {
      const path = pathOf(subject);
      const render = () => (owner === 'svcgen' ? withHeader(path, text(subject)) : text(subject));
      return { path, owner, source, text: render };
    }),
  );
}

/** A header tells what svcgen may rewrite and remove; openapi.json carries it as a member, a program below its first line. */
function withHeader(path: string, text: string): string {
  if (path.endsWith('.ts')) return text.replace(/^(#!.*\n)?/, `$1// ${GENERATED_HEADER}\n`);
  if (path.endsWith('.gitignore')) return `# ${GENERATED_HEADER}\n${text}`;
  return path.endsWith('.md') ? `<!-- ${GENERATED_HEADER} -->\n\n${text}` : text;
}
