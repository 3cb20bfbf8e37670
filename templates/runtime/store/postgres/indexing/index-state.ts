import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { changedKinds, MAX_PROBLEMS, rebuild, type RebuiltKinds } from '../../indexing/rebuild';
import type { IndexedKind, IndexProblem, Progress } from '../../indexing/store-indexes';
import { StoreBusy } from '../../retry-busy';
import { INDEXING } from '../schema/index-tables';
import { limitWait, LOCK_PAUSES, lockInSchema } from '../schema/locks';
import { schemaVersion } from '../schema/migrations';
import { BEGIN, DURABLE, PATIENTLY } from '../servers/durable';
import { isViolation, storeError } from '../servers/errors';
import type { PostgresTimeouts } from '../servers/hosts';
import { withClient } from '../servers/line';
import { PostgresServers } from '../servers/servers';
import { type BuiltKind, IndexBuild, uniqueIndex } from './index-build';
import { PostgresRebuild } from './rebuild-target';

/** A connection whose queries may take their time. */
export const PATIENT = { query_timeout: undefined };

/** The advisory lock under which entries are made anew. */
const LOCK = 0x73766368;

/** Changed resources are made again without a lock until they are so few, or so many times. */
const [FEW, PASSES] = [1_000, 5];

/** Makes the entries of kinds with another digest anew, in a transaction that is undone where there are problems. */
export async function remakeChanged(
  client: Client,
  kinds: readonly IndexedKind[],
  progress?: Progress,
): Promise<IndexProblem[]> {
  await client.query(`${BEGIN}; ${PATIENTLY}; ${DURABLE}; ${lockInSchema(LOCK)}`);
  // Another process may have been faster.
  const digests = toMap((await client.query<NotedDigest>(DIGESTS)).rows);
  const changed = changedKinds(kinds, digests);
  const problems = await remake(client, { changed, served: kinds }, digests, progress);
  await client.query(problems.length === 0 ? 'COMMIT' : 'ROLLBACK');
  // Without these statistics, the server makes them itself later.
  if (changed.length > 0 && problems.length === 0)
    await client.query('ANALYZE fields, uniques, refs').catch(() => undefined);
  return problems;
}

/** Makes the entries of kinds anew: first those of indexes that are new, then the others, for which writes wait. */
async function remake(
  client: Client,
  { changed, served }: RebuiltKinds,
  digests: ReadonlyMap<string, string>,
  progress?: Progress,
): Promise<IndexProblem[]> {
  const target = new PostgresRebuild(client);
  // A reference is checked when its target must be there, and until then locks nothing that others write.
  await client.query('SET CONSTRAINTS ALL DEFERRED');
  const builds: IndexBuild[] = [];
  for (const built of (await mayBuild(client)) ? builtKinds(changed, digests) : []) {
    const build = new IndexBuild(client, target, `made_${builds.length}`, built);
    if (!(await build.isPossible())) continue;
    const problems = await build.make(progress);
    if (problems.length > 0) return problems.slice(0, MAX_PROBLEMS);
    builds.push(build);
  }
  await catchUp(builds);
  if (builds.length > 0) await client.query('ANALYZE uniques, refs');
  await checkReferences(client, builds);
  for (let attempt = 0; !(await lockResources(client, attempt)); attempt++) {
    await setTimeout(LOCK_PAUSES.first);
    await catchUp(builds);
  }
  const problems: IndexProblem[] = [];
  for (const build of builds) {
    problems.push(...(await build.catchUp()).problems, ...(await build.misnamed()));
    await target.note(build.built.kind, build.built.entries.digest);
  }
  const others = changed.filter(({ kind }) => !builds.some(({ built }) => built.kind === kind));
  const hasReferences = builds.some(({ built }) => built.indexes.references.length > 0);
  if (others.length > 0 || hasReferences)
    problems.push(...(await rebuild(target, { changed: others, served }, progress)));
  return problems.slice(0, MAX_PROBLEMS);
}

/**
 * Checks the foreign keys of references before the lock where nobody else sees their targets, so that nobody waits for these.
 * If some have no target yet, all are checked at the commit.
 */
async function checkReferences(client: Client, builds: readonly IndexBuild[]): Promise<void> {
  const added = builds.flatMap(({ built: { kind, indexes } }) =>
    indexes.unique.map((index) => uniqueIndex(kind, index)),
  );
  if (builds.some(({ targets }) => [...targets].some((target) => !added.includes(target)))) return;
  await client.query('SAVEPOINT unchecked');
  try {
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
  } catch (error) {
    if (!isViolation(error)) throw error;
    await client.query('ROLLBACK TO SAVEPOINT unchecked');
  }
  await client.query('SET CONSTRAINTS ALL DEFERRED');
}

async function catchUp(builds: readonly IndexBuild[]): Promise<void> {
  for (let [pass, changed] = [1, Infinity]; changed > FEW && pass <= PASSES; pass++) {
    changed = 0;
    for (const build of builds) changed += (await build.catchUp()).changed;
  }
}

/** Locks the table of resources for a transaction; returns false where others have held it for too long. */
async function lockResources(client: Client, attempt: number): Promise<boolean> {
  try {
    await client.query(`SAVEPOINT unlocked; ${limitWait(attempt)}; LOCK TABLE resources IN SHARE ROW EXCLUSIVE MODE;
      RELEASE SAVEPOINT unlocked; SET LOCAL lock_timeout = 0`);
    return true;
  } catch (error) {
    if (!(storeError(error) instanceof StoreBusy)) throw error;
    await client.query('ROLLBACK TO SAVEPOINT unlocked');
    return false;
  }
}

/** Returns whether a user may make the tables that an IndexBuild needs. */
async function mayBuild(client: Client): Promise<boolean> {
  const text = `SELECT has_database_privilege(current_database(), 'TEMPORARY') AS "mayBuild"`;
  return (await client.query<{ mayBuild: boolean }>(text)).rows[0].mayBuild;
}

/** Returns those kinds whose entries can stay, but for new ones. */
function builtKinds(kinds: readonly IndexedKind[], digests: ReadonlyMap<string, string>): BuiltKind[] {
  return kinds.flatMap(({ kind, entries }) => {
    const indexes = entries?.newSince?.(digests.get(kind));
    return entries === undefined || indexes === undefined ? [] : [{ kind, entries, indexes }];
  });
}

/**
 * Returns the resources of a database that break rules, and changes nothing; none where it has no tables yet. Throws
 * StoreRefused and StoreUnavailable.
 */
export async function checkPostgresIndexes(
  url: string,
  timeouts: PostgresTimeouts,
  kinds: readonly IndexedKind[],
  progress?: Progress,
): Promise<IndexProblem[]> {
  const servers = new PostgresServers(url, timeouts, { isInspection: true });
  return withClient(servers.inspect(PATIENT), async ({ client }) => {
    if ((await schemaVersion(client)) === undefined) return [];
    // The entries are made in temporary tables, in a transaction that is left open.
    await client.query(
      `BEGIN ISOLATION LEVEL REPEATABLE READ; ${PATIENTLY}; ${TEMPORARY_INDEXING}; SET CONSTRAINTS ALL DEFERRED`,
    );
    return rebuild(new PostgresRebuild(client), { changed: kinds, served: kinds }, progress);
  });
}

/** The tables of entries, of one session alone, which are found before those of the database. */
const TEMPORARY_INDEXING = INDEXING.replaceAll('CREATE TABLE', 'CREATE TEMP TABLE');

/** A kind and the digest that its entries were made under. */
export interface NotedDigest {
  [column: string]: unknown;
  kind: string;
  digest: string;
}

/** Selects the noted digests of all kinds. */
export const DIGESTS = 'SELECT kind, digest FROM index_states';

/** Returns digests by kind. */
export function toMap(rows: readonly NotedDigest[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ kind, digest }) => [kind, digest]));
}
