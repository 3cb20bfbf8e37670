import { generate } from '../generate/generate';
import type { Generation } from '../generate/pipeline';
import { type Acknowledgement, UnacknowledgedChanges } from '../lock/acknowledgement';
import { refuse } from '../model/problem';
import { hasColors, isConversation, Progress } from '../terminal/io';
import { problemText } from '../terminal/problem-text';
import { findProject } from './project-folder';
import type { Outcome, Session } from './session';
import { fileActions, leftBehind, listing, summary } from './summary';

interface Options {
  project?: string;
  check?: boolean;
  dryRun?: boolean;
  diff?: boolean;
  watch?: boolean;
  force?: 'all' | 'compatible';
}

/** `svcgen generate`. */
export async function run(session: Session, options: Options): Promise<Outcome> {
  if (options.diff && !options.check && !options.dryRun) refuse('--diff requires --check or --dry-run');
  const folder = findProject(session.io.cwd(), options.project);
  const once = (interrupt?: AbortSignal) => generateOnce(session, folder, options, interrupt);
  if (!options.watch) return once();
  const { watch } = await import('./watch');
  return watch(session, folder, once);
}

/** On a terminal, asks about changes of stable versions; `interrupt` ends the question. */
async function generateOnce(
  session: Session,
  folder: string,
  options: Options,
  interrupt: AbortSignal | undefined,
): Promise<Outcome> {
  const write = !options.check && !options.dryRun;
  const mayAsk = write && options.force === undefined && isConversation(session);
  const acknowledged = new Set<string>();
  const isAcknowledged: Acknowledgement = ({ breaks }, message) =>
    options.force === 'all' ||
    (options.force === 'compatible' && breaks === undefined) ||
    acknowledged.has(message);
  const progress = new Progress(session);
  for (;;) {
    try {
      const generation = await generate(folder, { write, isAcknowledged, progress });
      // The user has just agreed to these changes.
      const warnings = generation.warnings.filter(({ message }) => !acknowledged.has(message));
      return write
        ? written(folder, { ...generation, warnings })
        : await compared(session, folder, generation, options);
    } catch (error) {
      progress.end();
      if (!mayAsk || !(error instanceof UnacknowledgedChanges)) throw error;
      await acknowledge(error, session, interrupt);
      // The next attempt reads everything again: what changed meanwhile is asked about too.
      for (const { message } of error.problems) acknowledged.add(message);
    } finally {
      progress.end();
    }
  }
}

async function acknowledge(
  changes: UnacknowledgedChanges,
  { io }: Session,
  interrupt: AbortSignal | undefined,
): Promise<void> {
  const shown = changes.problems.map((problem) => ({ ...problem, hint: undefined }));
  io.stderr.write(`${problemText(shown, true, io)}\n`);
  const { askForAcknowledgement } = await import('./questions');
  if (await askForAcknowledgement(changes, io, interrupt)) return;
  const hints = [...new Set(changes.problems.map(({ hint }) => hint))];
  refuse('the changes are not acknowledged; nothing was written', hints.join('; '));
}

function written(folder: string, { changes, warnings, notices }: Generation): Outcome {
  const notes = [...notices, summary(changes), ...leftBehind(folder, changes)];
  return { exit: 0, files: fileActions(changes), problems: warnings, notes };
}

async function compared(
  { io }: Session,
  folder: string,
  { changes, warnings, notices }: Generation,
  { check, diff }: Options,
): Promise<Outcome> {
  const stale = changes.filter(({ action }) => action !== 'unchanged');
  const outcome: Outcome = {
    exit: check && stale.length > 0 ? 1 : 0,
    files: fileActions(changes),
    problems: warnings,
    text: listing(check ? stale : changes),
    notes: [...notices, summary(changes, true)],
  };
  if (!diff) return outcome;
  const { colorDiff, unifiedDiff } = await import('../write/unified-diff');
  const diffs = changes.map((change) => unifiedDiff(folder, change) || undefined);
  const text = diffs.join('');
  const files = changes.map(({ path, action }, index) => ({ path, action, diff: diffs[index] }));
  return { ...outcome, files, text: hasColors(io.stdout, io.env) ? colorDiff(text) : text };
}
