import { collecting } from '../conversion/lenses/unconverted';
import { ignoreLostOutput, say } from '../files/command-output';
import { etagOf } from '../model/etag';
import { collectionOf, type KindDefinition } from '../model/kinds/kind';
import { hubStateOf, preservedText } from '../model/kinds/versioning';
import type { CoreDefinition } from '../service/core-definition';
import { inspectDatabase, openKnownStore } from '../service/known-store';
import { readSettings } from '../settings/settings';
import type { PlacedSnapshot } from '../store/migration/other-versions';
import { type Store, StoreUnavailable } from '../store/store';
import type { UnplacedResource } from '../store/stored-resource';
import type { StoredCount, StoredVersions } from '../store/stored-versions';
import { rewrittenSnapshot } from './snapshots';

/** Maximum number of rows that are read at once and rewritten in one commit. */
const BATCH = 200;

/** Limits of what waits for the store: a batch, which is in memory already. */
const QUEUE = { queueWrites: BATCH, queueBytes: Infinity };

const NONE: StoredCount = { resources: 0, snapshots: 0 };

const USAGE = 'usage: npm run migrate-storage [-- --dry-run]';

/**
 * Rewrites resources and snapshots of earlier hubs to the storage version, while services run. Each resource is a write
 * of its own that is skipped where another process was faster, so the migration may be stopped at any point and run
 * again. Progress goes to standard error. The exit code is 1 where something is still stored in an earlier version and
 * where the store failed, 2 for wrong arguments.
 */
export async function migrateStorage(
  definition: CoreDefinition,
  kinds: KindDefinition[],
  argv: string[],
): Promise<number> {
  ignoreLostOutput();
  if (argv.some((argument) => argument !== '--dry-run')) return say(USAGE, 2);
  if (argv.length > 0) return dryRun(definition, kinds);
  const store = await openStore(definition).catch((error: Error) => error);
  if (store instanceof Error) return say(`${definition.name} is not migrated: ${store.message}`, 1);
  try {
    let remaining = 0;
    for (const kind of kinds) {
      const found = await earlier(store.versions, kind);
      const migration = new Migration(store, kind, found);
      await migration.run();
      const left = await earlier(store.versions, kind);
      migration.warn(left);
      report(kind, migration.done, found);
      remaining += left.resources + left.snapshots;
    }
    return remaining === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return say(`${definition.name} is not migrated yet: ${error.message}. Run it again`, 1);
  } finally {
    await store.close();
  }
}

/** Rejects where a setting is wrong, or the store refuses. */
async function openStore(definition: CoreDefinition): Promise<Store> {
  return openKnownStore(definition, readSettings(process.env), QUEUE);
}

/** Counts what would be rewritten, and changes nothing: an open store would get the schema of this release. */
async function dryRun(definition: CoreDefinition, kinds: KindDefinition[]): Promise<number> {
  let remaining = 0;
  const count = async (versions: StoredVersions): Promise<void> => {
    for (const kind of kinds) {
      const found = await earlier(versions, kind);
      report(kind, NONE, found);
      remaining += found.resources + found.snapshots;
    }
  };
  try {
    const database = await inspectDatabase(definition, readSettings(process.env), count);
    return say(database, remaining === 0 ? 0 : 1);
  } catch (error) {
    return say(`${definition.name} is not checked: ${(error as Error).message}`, 1);
  }
}

/** Counts the resources and snapshots of a kind that are stored in other versions than its storage version. */
async function earlier(versions: StoredVersions, kind: KindDefinition): Promise<StoredCount> {
  const sum = { ...NONE };
  for (const stored of await versions.all()) {
    if (stored.kind !== collectionOf(kind) || stored.version === kind.storageVersion) continue;
    const { resources, snapshots } = await versions.count(stored);
    sum.resources += resources;
    sum.snapshots += snapshots;
  }
  return sum;
}

/** Prints a line for a kind on standard output. */
function report(kind: KindDefinition, done: StoredCount, found: StoredCount): void {
  const counts = (['resources', 'snapshots'] as const).map(
    (what) => `${done[what]} of ${found[what]} ${what}`,
  );
  process.stdout.write(`${collectionOf(kind)}: ${counts.join(', ')} rewritten to ${kind.storageVersion}\n`);
}

/** The migration of one kind. */
class Migration {
  failed = 0;
  readonly done: StoredCount = { ...NONE };
  readonly #name: string;

  constructor(
    private readonly store: Store,
    private readonly kind: KindDefinition,
    private readonly found: StoredCount,
  ) {
    this.#name = collectionOf(kind);
  }

  async run(): Promise<void> {
    const { store, kind } = this;
    const query = { kind: this.#name, version: kind.storageVersion, limit: BATCH };
    for (let after = 0; ;) {
      const rows = await store.others!.resources({ ...query, after });
      if (rows.length === 0) break;
      await this.#batch('resources', rows, (row) => this.#resource(row));
      after = rows.at(-1)!.id;
    }
    for (let after = { resource: 0, versionId: '' }; ;) {
      const rows = await store.others!.snapshots({ ...query, after });
      if (rows.length === 0) break;
      await this.#batch('snapshots', rows, (row) => this.#snapshot(row));
      after = rows.at(-1)!;
    }
  }

  /** Reports on standard error what is still stored in an earlier version: failed conversions, and concurrent writes. */
  warn({ resources, snapshots }: StoredCount): void {
    if (resources + snapshots === 0) return;
    const action = resources + snapshots > this.failed ? '. Run it again' : '';
    say(
      `${this.#name}: ${resources} resources, ${snapshots} snapshots are still stored in an earlier version${action}`,
    );
  }

  async #batch<Row>(
    what: keyof StoredCount,
    rows: Row[],
    rewrite: (row: Row) => Promise<boolean>,
  ): Promise<void> {
    const results = await Promise.all(rows.map(rewrite));
    this.done[what] += results.filter(Boolean).length;
    say(`${this.#name}: ${this.done[what]} of ${this.found[what]} ${what}`);
  }

  /**
   * Migrates a resource. Returns false where there is nothing left to do: it was deleted, or another process has
   * written it in the storage version.
   */
  async #resource(row: UnplacedResource): Promise<boolean> {
    const { kind, store } = this;
    const { storageVersion } = kind;
    let stored: UnplacedResource | undefined = row;
    while (stored !== undefined && stored.version !== storageVersion) {
      const { id, uid, revision } = stored;
      const state = this.#converted(uid, () => hubStateOf(kind, stored!));
      if (state === undefined) return false;
      const text = JSON.stringify(state.hub);
      const result = await store.write({
        ...{ action: 'update', kind: this.#name, id, uid, revision, isRewrite: true },
        ...{ version: storageVersion, text, etag: etagOf(text), kept: preservedText(state.preserved) },
      });
      if (result === 'done') return true;
      stored = await store.get(this.#name, uid);
    }
    return false;
  }

  async #snapshot(row: PlacedSnapshot): Promise<boolean> {
    const rewritten = this.#converted(row.versionId, () => rewrittenSnapshot(this.kind, row));
    if (rewritten === undefined) return false;
    const { resource } = row;
    return this.store.others!.rewriteSnapshot(this.#name, row.version, { ...rewritten, resource });
  }

  /**
   * Returns undefined, with a report, for a resource with parts that the storage version cannot have: it stays as it is
   * stored.
   */
  #converted<T>(id: string, convert: () => T): T | undefined {
    const { result, left } = collecting(convert);
    // A function that throws for a reader does not make the stored resource less exact.
    const lost = left.filter(({ pointer }) => pointer !== undefined);
    if (lost.length === 0) return result;
    this.failed++;
    for (const { version, pointer, rule } of lost)
      say(`${this.#name} ${id}: ${pointer} of ${version} cannot be converted by the rule ${rule}`);
    return undefined;
  }
}
