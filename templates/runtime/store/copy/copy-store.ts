import { parseArgs } from 'node:util';
import { ignoreLostOutput, say } from '../../files/command-output';
import { CopySource } from './source';
import { COPIED_TABLES } from './tables';
import { CopyTarget } from './target';

const USAGE = `usage: npm run copy-store -- --from sqlite:<file> [--to postgres://user@host/database]
Without --to the target is DATABASE_URL of the environment. Pass a password there, or in PGPASSWORD.`;
const VISIBLE =
  'the password in --to is visible to everybody on this machine: pass the URL in DATABASE_URL, or the password in PGPASSWORD';
const IN_USE =
  'another process has the source open: what it writes from now on is not copied. To lose nothing, stop it';
const SERVED =
  'a service is connected to the database of the target. If it serves the same schema, restart it after the copy: until then ' +
  'it finds no copied resource by a name or a field, and writes nothing';

/** Maximum waits for locks and for the server. A commit of millions of rows takes its time. */
const BUSY_TIMEOUT_MS = 5_000;
const TIMEOUTS = { connectTimeoutMs: 10_000, responseTimeoutMs: 600_000 };

/** Number of rows of a table between two reports of progress. */
const PROGRESS = 10_000;

/**
 * Copies a SQLite store into an empty PostgreSQL store, whole or not at all: resources, labels, snapshots, events with
 * their positions, consumers, dead letters, row ids and revisions. Progress goes to standard error, the sums to
 * standard output. The exit code is 1 where it was not copied, 2 for wrong arguments.
 */
export async function copyStore(argv: string[]): Promise<number> {
  ignoreLostOutput();
  const places = placesOf(argv);
  if (places === undefined) return say(USAGE, 2);
  if (argv.some((argument) => /postgres(ql)?:\/\/[^/@]*:[^/@]+@/.test(argument))) say(VISIBLE);
  try {
    const source = await CopySource.open(places.from, BUSY_TIMEOUT_MS);
    try {
      if (source.inUse) say(IN_USE);
      const target = await CopyTarget.open(places.to, TIMEOUTS, BUSY_TIMEOUT_MS);
      if (target.isServed) say(SERVED);
      await copy(source, target).finally(() => target.close());
      return 0;
    } finally {
      source.close();
    }
  } catch (error) {
    return say(`nothing was copied: ${(error as Error).message}`, 1);
  }
}

/** Returns the file of the source, and the URL of the target. */
function placesOf(argv: string[]): { from: string; to: string } | undefined {
  const options = { from: { type: 'string' }, to: { type: 'string' } } as const;
  try {
    const { from = '', to = process.env['DATABASE_URL'] ?? '' } = parseArgs({ args: argv, options }).values;
    const [, file] = /^sqlite:(?!\/\/|:memory:$)(.+)$/s.exec(from) ?? [];
    return file !== undefined && /^postgres(ql)?:\/\//.test(to) ? { from: file, to } : undefined;
  } catch {
    return undefined;
  }
}

async function copy(source: CopySource, target: CopyTarget): Promise<void> {
  const sums: string[] = [];
  for (const table of COPIED_TABLES) {
    const { name, numbered } = table;
    const total = source.count(table);
    let done = 0;
    for (const rows of source.rows(table)) {
      await target.add(table, rows);
      const before = done;
      done += rows.length;
      if (Math.floor(before / PROGRESS) < Math.floor(done / PROGRESS)) say(`${name}: ${done} of ${total}`);
    }
    if (done !== total) throw new Error(`${name}: ${done} of ${total} rows were read`);
    if (numbered !== undefined) await target.continueAfter(table, source.lastNumber(table));
    sums.push(`${name.replace('_', ' ')}: ${done}\n`);
  }
  await target.prunedUpTo(source.pruned());
  say('committing');
  await target.commit();
  process.stdout.write(sums.join(''));
}
