import { randomUUID } from 'node:crypto';

/** Returns a new uid: the kind's prefix and 64 random bits in hex. */
export function newUid(prefix: string): string {
  // Not randomBytes: Node draws the bytes of many UUIDs at once. Only the middle of a UUID has digits that are not random.
  const uuid = randomUUID();
  return `${prefix}-${uuid.slice(0, 8)}${uuid.slice(-8)}`;
}
