import type { Session } from '../cli';
import { generate, type Generation } from '../generate';
import { hasColors } from '../cli/io';
import type { Outcome } from '../cli/outcome';
import { Progress } from '../cli/progress';
import { findProject } from '../cli/project-folder';
import { refuse } from '../cli/refusal';
import { fileActions, leftBehind, listing, summary } from '../cli/summary';

interface Options {
  project?: string;
  check?: boolean;
  dryRun?: boolean;
  diff?: boolean;
  watch?: boolean;
  force?: boolean;
}

/** `svcgen generate`. */
export async function run(session: Session, options: Options): Promise<Outcome> {
  if (options.diff && !options.check && !options.dryRun) refuse('--diff goes with --check or --dry-run');
  const folder = findProject(session.io.cwd(), options.project);
  const once = () => generateOnce(session, folder, options);
  if (!options.watch) return once();
  const { watch } = await import('../cli/watch');
  return watch(session, folder, once);
}

async function generateOnce(session: Session, folder: string, options: Options): Promise<Outcome> {
  const write = !options.check && !options.dryRun;
  const progress = new Progress(session);
  try {
    const generation = await generate(folder, { write, force: !!options.force }, progress);
    return write ? written(folder, generation) : await compared(session, folder, generation, options);
  } finally {
    progress.end();
  }
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
