import { randomFillSync } from 'node:crypto';

/** Random bytes are drawn for many uids at once: a draw costs more than all the rest of a uid. */
const pool = Buffer.alloc(4096);
const UID_BYTES = 8;
let used = pool.length;

/** Returns a new uid: the kind's prefix and 64 random bits in hex. */
export function newUid(prefix: string): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += UID_BYTES;
  return `${prefix}-${pool.toString('hex', used - UID_BYTES, used)}`;
}
