import { digestOf } from '../files/digest';
import { GENERATED_HEADER, type OutputFile } from '../files/ownership';
import { lockText } from '../lock/lock-file';
import { LOCK_FILE } from '../lock/lock-text';
import { type Problem, PROJECT_FILE, ProjectError } from '../model/problem';
import type { PlannedProject } from '../plan/planned-project';
import { fileFilter } from './features/features';
import { type Output, OUTPUTS } from './outputs';
import { copiedFiles } from './text/templates';

/** The maximum size of all files of a project, in characters: each kind repeats the strings of its shared types. */
const MAX_RENDERED = 128 * 1024 * 1024;
const TOO_LARGE: Problem = {
  file: PROJECT_FILE,
  message: `the files of this project would hold more than ${MAX_RENDERED / 1024 / 1024} MiB`,
  hint: 'shorten descriptions and defaults that many kinds share, or split the project into several services',
};

/** The options of rendering a project. */
interface RenderOptions {
  /** The files of the last run: one with the same source has the same digest, and is not rendered for that. */
  known?: readonly { path: string; source: string; digest?: string }[];
  /** Called before a file is rendered. */
  onFile?: (path: string) => void;
}

/**
 * Returns every file of the project, svcgen.lock among them, in the order of their paths. Each is rendered when its text is
 * first read, which throws ProjectError where all together are too large.
 */
export function render(plan: PlannedProject, { known = [], onFile }: RenderOptions = {}): RenderedFile[] {
  const digests = new Map(known.map(({ path, source, digest }) => [`${path} ${source}`, digest]));
  const isUsed = fileFilter(plan.project);
  let length = 0;
  const measured = (path: string, text: () => string) => (): string => {
    onFile?.(path);
    const rendered = text();
    length += rendered.length;
    if (length > MAX_RENDERED) throw new ProjectError([TOO_LARGE]);
    return rendered;
  };
  return rowsOf(plan)
    .filter(({ path }) => isUsed(path))
    .map(({ path, owner, source, text }) => {
      const digest = digests.get(`${path} ${source}`);
      return new RenderedFile({ path, owner, source }, measured(path, text), digest);
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A file as the table of outputs describes it. */
interface Row extends Pick<RenderedFile, 'path' | 'owner' | 'source'> {
  text: () => string;
}

function rowsOf(plan: PlannedProject): Row[] {
  const { project, kinds, lock } = plan;
  const versions = kinds.flatMap((kind) => kind.kind.versions.map((version) => ({ ...kind, version })));
  const spokes = versions.filter(({ group, version }) => version.version !== group.storageVersion);
  const views = spokes.flatMap((spoke) =>
    spoke.kind.versions.filter((shown) => shown !== spoke.version).map((shown) => ({ ...spoke, shown })),
  );
  const converted = kinds.filter(({ kind }) => kind.versions.length > 1);
  const ofKinds = [
    ...kinds.flatMap((kind) => rows(OUTPUTS.kind, kind, kind.source)),
    ...versions.flatMap((version) => rows(OUTPUTS.version, version, version.source)),
    ...converted.flatMap((kind) => rows(OUTPUTS.convertedKind, kind, kind.source)),
    ...spokes.flatMap((spoke) => rows(OUTPUTS.spoke, spoke, spoke.source)),
    ...views.flatMap((view) => rows(OUTPUTS.view, view, view.source)),
  ];
  const recorded = lockText(lock);
  const source = digestOf(JSON.stringify(project));
  return [
    ...rows(OUTPUTS.project, project, source),
    ...rows(OUTPUTS.plan, plan, source),
    ...ofKinds,
    ...copiedFiles().flatMap((path) => rows(OUTPUTS.copied, path, '')),
    { path: LOCK_FILE, owner: 'svcgen', source: digestOf(recorded), text: () => recorded },
  ];
}

function rows<Subject>(outputs: Output<Subject>[], subject: Subject, source: string): Row[] {
  return outputs.map(([owner, pathOf, text]) => {
    const path = typeof pathOf === 'string' ? pathOf : pathOf(subject);
    const whole = () => (owner === 'svcgen' ? withHeader(path, text(subject)) : text(subject));
    return { path, owner, source, text: whole };
  });
}

/** Adds the header that marks files which svcgen may rewrite and remove; JSON has it as a member, a program below its first line. */
function withHeader(path: string, text: string): string {
  if (path.endsWith('.ts')) return text.replace(/^(#!.*\n)?/, `$1// ${GENERATED_HEADER}\n`);
  if (path.endsWith('.gitignore')) return `# ${GENERATED_HEADER}\n${text}`;
  return path.endsWith('.md') ? `<!-- ${GENERATED_HEADER} -->\n\n${text}` : text;
}

/** A file that is rendered when its text is first read. */
export class RenderedFile implements OutputFile {
  readonly path: string;
  readonly owner: OutputFile['owner'];
  /** A digest of everything that the text is made of: files with the same path and source are equal. */
  readonly source: string;
  readonly #render: () => string;
  #text: string | undefined;
  #bytes: Buffer | undefined;
  #digest: string | undefined;

  /** `digest` is that of the text, where it is known. */
  constructor(
    { path, owner, source }: Pick<RenderedFile, 'path' | 'owner' | 'source'>,
    text: () => string,
    digest?: string,
  ) {
    this.path = path;
    this.owner = owner;
    this.source = source;
    this.#render = text;
    this.#digest = digest;
  }

  get text(): string {
    return (this.#text ??= this.#render());
  }

  get bytes(): Buffer {
    return (this.#bytes ??= Buffer.from(this.text));
  }

  /** Undefined until the text is rendered, unless it was known before. */
  get digest(): string | undefined {
    if (this.#text !== undefined) this.#digest ??= digestOf(this.#bytes ?? this.#text);
    return this.#digest;
  }
}
