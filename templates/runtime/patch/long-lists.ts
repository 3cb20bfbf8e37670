import type { Json } from '../model/schema';
import { tooDeep } from './limits';

/** Length from which a list is edited in chunks, and size of these chunks. */
const LONG = 4_096;
const CHUNK = 512;

/**
 * The long lists of one document during patching. Inserting into an array and removing from it moves all later
 * elements, so that a thousand operations at the head of a list of 100,000 take a second. A long list is therefore held
 * in chunks from its first such change until `settle` puts its elements back into the array.
 */
export class LongLists {
  private readonly chunked = new Map<Json[], Json[][]>();

  length(list: Json[]): number {
    return this.chunked.get(list)?.reduce((sum, chunk) => sum + chunk.length, 0) ?? list.length;
  }

  at(list: Json[], index: number): Json | undefined {
    const [array, offset] = this.locate(list, index);
    return array[offset];
  }

  /**
   * Returns the array to change in place of the list, and the index in it, for a change at `index`, which is at most
   * the length of the list. The caller may insert or remove one element there.
   */
  editable(list: Json[], index: number): [array: Json[], index: number] {
    if (list.length >= LONG && !this.chunked.has(list)) {
      const chunks: Json[][] = [];
      for (let start = 0; start < list.length; start += CHUNK) chunks.push(list.slice(start, start + CHUNK));
      this.chunked.set(list, chunks);
    }
    return this.locate(list, index);
  }

  /**
   * Makes every list within a value whole, so that it can be read as JSON. Throws HttpProblem 400 for a value of more
   * than `depth` levels, which a patch can make by moving.
   */
  settle(value: Json, depth: number, levels = depth): void {
    if (this.chunked.size === 0 || typeof value !== 'object' || value === null) return;
    if (levels === 0) throw tooDeep(depth);
    if (Array.isArray(value)) {
      const chunks = this.chunked.get(value);
      if (chunks !== undefined) {
        value.length = 0;
        for (const chunk of chunks) value.push(...chunk);
        this.chunked.delete(value);
      }
      for (const item of value) this.settle(item, depth, levels - 1);
    } else {
      for (const key of Object.keys(value)) this.settle(value[key], depth, levels - 1);
    }
  }

  private locate(list: Json[], index: number): [array: Json[], index: number] {
    const chunks = this.chunked.get(list);
    if (chunks === undefined) return [list, index];
    let offset = index;
    let at = 0;
    while (offset >= chunks[at].length && at < chunks.length - 1) offset -= chunks[at++].length;
    return [chunks[at], offset];
  }
}
