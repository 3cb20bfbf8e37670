import { setImmediate } from 'node:timers/promises';
import type { ListMemory } from '../../api/reads/list-memory';
import { CHUNK_LENGTH, LARGE_COPIES, TOGETHER } from '../../api/reads/list-rows';
import { hubOf, represent } from '../../api/reads/representation';
import { isAsked, mayGet } from '../../api/request/access';
import { inScope, scopeOf } from '../../api/request/label-scope';
import type { RequestContext } from '../../api/request/request-context';
import { turnOfLarge } from '../../concurrency/large-work';
import { storedCost } from '../../http/request/json-body';
import { collectionOf, type KindDefinition } from '../../model/kinds/kind';
import type { Service } from '../../service/service';
import type { IndexEntry } from '../../store/indexing/resource-index';
import type { Listed, StoredResource } from '../../store/store';
import { addressOf } from '../plan/entries';

/** A request that expands references. */
export interface Expanding {
  service: Service;
  context: RequestContext;
  version: string;
}

/** A target of a reference: its kind, and the unique entry that it is found by. */
interface Wanted {
  kind: KindDefinition;
  entry: IndexEntry;
}

/** The references of resources, in order. A resource may have hundreds of thousands, so that each is two pointers. */
export class References {
  readonly #kinds: KindDefinition[] = [];
  readonly #texts: string[] = [];

  /** The number of references. */
  get count(): number {
    return this.#texts.length;
  }

  /** Adds the values of a reference field. */
  add(kind: KindDefinition, texts: readonly string[]): void {
    for (const text of texts) {
      this.#kinds.push(kind);
      this.#texts.push(text);
    }
  }

  /** Returns the target of a reference, by its number. */
  at(index: number): Wanted {
    const kind = this.#kinds[index];
    return { kind, entry: addressOf(kind, this.#texts[index]) };
  }
}

/** Maximum number of targets of one query, and of the bytes of their texts. */
const MOST_TARGETS = 1_000;
const MOST_BYTES = 2_097_152;

/** Memory that is reserved while targets are sent, and the length of the resources that refer to them. */
interface Held {
  memory: ListMemory;
  length: number;
}

/** A target that was looked for: its text, or the length of one that is too long to be read with others. */
type Found = { text: string | undefined } | { omitted: number };

/**
 * The targets of references, one after the other, as the caller may get them. They are read together ahead of time, different
 * ones once; a large one is read alone.
 */
export class ExpandedTargets {
  #taken = 0;
  #found = new Map<string, Found>();

  constructor(
    private readonly expanding: Expanding,
    private readonly references: References,
    private readonly held: Held,
  ) {}

  /** Returns the JSON text of the next target in the requested version; undefined for one that the caller may not get. */
  async next(): Promise<string | undefined> {
    const wanted = this.references.at(this.#taken);
    if (!this.#found.has(nameOf(wanted))) await this.#read();
    this.#taken += 1;
    const found = this.#found.get(nameOf(wanted))!;
    return 'omitted' in found ? this.#readLarge(wanted, found.omitted) : found.text;
  }

  /** Reads the next targets: those of each kind in one query. */
  async #read(): Promise<void> {
    const next = this.#ahead();
    const maxText = Math.min(TOGETHER, Math.floor(MOST_BYTES / next.size));
    this.#found = new Map();
    await this.held.memory.reserve(2 * (CHUNK_LENGTH + this.held.length) + next.size * maxText);
    for (const kind of new Set([...next.values()].map((wanted) => wanted.kind))) {
      const ofKind = [...next.values()].filter((wanted) => wanted.kind === kind);
      const rows = await this.#find(kind, ofKind, maxText);
      for (const [index, row] of rows.entries())
        this.#found.set(nameOf(ofKind[index]), await this.#foundOf(kind, row));
      await setImmediate();
    }
  }

  /** The next different targets, by name. */
  #ahead(): Map<string, Wanted> {
    const next = new Map<string, Wanted>();
    for (let at = this.#taken; at < this.references.count && next.size < MOST_TARGETS; at++) {
      const wanted = this.references.at(at);
      next.set(nameOf(wanted), wanted);
    }
    return next;
  }

  async #foundOf(kind: KindDefinition, row: Listed<StoredResource> | undefined): Promise<Found> {
    return row?.omitted === undefined
      ? { text: row && (await this.#textOf(kind, row)) }
      : { omitted: row.omitted };
  }

  async #readLarge(wanted: Wanted, bytes: number): Promise<string | undefined> {
    await this.held.memory.reserve(2 * (CHUNK_LENGTH + this.held.length) + LARGE_COPIES * bytes);
    await turnOfLarge();
    const [row] = await this.#find(wanted.kind, [wanted]);
    return row && this.#textOf(wanted.kind, row);
  }

  async #find(
    kind: KindDefinition,
    wanted: readonly Wanted[],
    maxText?: number,
  ): Promise<(Listed<StoredResource> | undefined)[]> {
    const entries = wanted.map(({ entry }) => entry);
    return this.expanding.service.store.indexes!.findAll(collectionOf(kind), entries, maxText);
  }

  async #textOf(kind: KindDefinition, row: StoredResource): Promise<string | undefined> {
    if (!(await this.#isShown(kind, row))) return undefined;
    const { version } = this.expanding;
    return represent(kind, row, kind.servedVersions.includes(version) ? version : kind.storageVersion).text;
  }

  /** Returns whether a target is within the scope of the caller, and its policy lets the caller get it. */
  async #isShown(kind: KindDefinition, row: StoredResource): Promise<boolean> {
    const { service, context } = this.expanding;
    const scope = scopeOf(context.req);
    if (scope.length === 0 && !isAsked({ kind }, 'canGet')) return true;
    return service.memory.spend('stored', context.res, {
      read: () => row,
      cost: storedCost,
      action: async () => {
        const resource = hubOf(kind, row);
        return inScope(resource.metadata, scope) && mayGet({ kind, req: context.req }, resource);
      },
    });
  }
}

function nameOf({ kind, entry }: Wanted): string {
  return `${collectionOf(kind)} ${entry.index} ${entry.key}`;
}
