import { randomBytes } from 'node:crypto';

/** A new uid: the kind's prefix and 64 random bits in hex. */
export function newUid(prefix: string): string {
  return `${prefix}-${randomBytes(8).toString('hex')}`;
}
