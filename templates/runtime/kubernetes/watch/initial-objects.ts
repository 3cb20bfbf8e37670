import { ListMemory } from '../../api/reads/list-memory';
import type { StoredResource } from '../../store/store';
import type { KubernetesContext } from '../face/face';
import { listScoped } from '../objects/list';
import { selected } from '../objects/list-parameters';
import { nameIn, objectText } from '../objects/object';
import { revisionOf } from '../objects/revision';

/** Memory of one object that has changed since the revision of the watch, in bytes. */
const ENTRY_BYTES = 400;

/** The objects that a watch begins with, and those of their states that the log repeats. */
export class InitialObjects {
  /**
   * Revisions of the objects that have changed since the revision of the watch, by name: clients take two objects that had
   * one name after each other for the same.
   */
  readonly #newer = new Map<string, bigint>();
  #newest = 0n;

  /**
   * Sends all objects as lines; resolves when the client has taken them. `revision` is that of the watch, whose log begins
   * there. Throws HttpProblem.
   */
  async send(context: KubernetesContext, revision: string, line: (text: string) => string): Promise<void> {
    const start = BigInt(revision);
    const { kind, urlVersion: version } = context;
    const memory = new ListMemory(context.service, context.res);
    const { query } = selected(context).selection;
    try {
      for await (const { rows } of listScoped(context, { ...query, limit: Infinity }, memory)) {
        const lines = rows.map((row) => {
          this.#note(row, start);
          return line(objectText(kind, row, version));
        });
        memory.needed = ENTRY_BYTES * this.#newer.size;
        if (lines.length > 0) await memory.write(() => Buffer.from(lines.join('')));
      }
    } finally {
      memory.release();
    }
  }

  /** Returns whether a client at this revision of the log has seen no state of a later one: it may resume from there. */
  isPassed(revision: string): boolean {
    return BigInt(revision) >= this.#newest;
  }

  /** True if the log repeats none of their states any more. */
  get isOver(): boolean {
    return this.#newer.size === 0;
  }

  /** Returns whether the state of an object at a revision, or a later one of its name, was among them. */
  isKnown(text: string, revision: string): boolean {
    return this.#newer.size > 0 && BigInt(revision) <= (this.#newer.get(nameIn(text)) ?? 0n);
  }

  /** Forgets them where a client at this revision of the log has passed all of them: the log is in the order of revisions. */
  pass(revision: string): void {
    if (this.#newer.size > 0 && this.isPassed(revision)) this.#newer.clear();
  }

  #note(row: StoredResource, start: bigint): void {
    const revision = BigInt(revisionOf(row));
    if (revision <= start) return;
    this.#newer.set(nameIn(row.text), revision);
    if (revision > this.#newest) this.#newest = revision;
  }
}
