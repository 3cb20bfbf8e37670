import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Project } from '../model';
import { type Output, OUTPUTS, type OutputFile } from './outputs';
import { GENERATED_HEADER } from '../write/ownership';
import { TEMPLATES } from './templates';

/**
 * Every file of the project, complete, in the order of their paths. The same project gives the same files.
 * `onFile` is told the path of each file before it is rendered.
 */
export function render(project: Project, onFile: (path: string) => void = () => {}): OutputFile[] {
  const kinds = project.groups.flatMap((group) => group.kinds.map((kind) => ({ group, kind })));
  const versions = kinds.flatMap((subject) =>
    subject.kind.versions.map((version) => ({ ...subject, version })),
  );
  const spokes = versions.filter(({ group, version }) => version.version !== group.storageVersion);
  const files = [
    ...rows(OUTPUTS.project, [project], onFile),
    ...rows(OUTPUTS.kind, kinds, onFile),
    ...rows(OUTPUTS.version, versions, onFile),
    ...rows(
      OUTPUTS.convertedKind,
      kinds.filter(({ kind }) => kind.versions.length > 1),
      onFile,
    ),
    ...rows(OUTPUTS.spoke, spokes, onFile),
    ...rows(OUTPUTS.copied, copiedFiles(), onFile),
  ];
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function rows<Subject>(
  outputs: Output<Subject>[],
  subjects: Subject[],
  onFile: (path: string) => void,
): OutputFile[] {
  return subjects.flatMap((subject) =>
    outputs.map(([owner, path, text]) => {
      onFile(path(subject));
      const file = { path: path(subject), text: text(subject), owner };
      return owner === 'svcgen' ? { ...file, text: withHeader(file.path, file.text) } : file;
    }),
  );
}

/** A header tells what svcgen may rewrite and remove; openapi.json carries it as a member, a program below its first line. */
function withHeader(path: string, text: string): string {
  if (path.endsWith('.ts')) return text.replace(/^(#!.*\n)?/, `$1// ${GENERATED_HEADER}\n`);
  return path.endsWith('.md') ? `<!-- ${GENERATED_HEADER} -->\n\n${text}` : text;
}

/** The folders of plain TypeScript that each service gets as they are. */
export const COPIED_FOLDERS = ['client', 'ctl', 'runtime'];

/** Every file of these folders, relative to the templates. */
function copiedFiles(): string[] {
  return COPIED_FOLDERS.flatMap((folder) =>
    readdirSync(join(TEMPLATES, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(TEMPLATES, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
  );
}
