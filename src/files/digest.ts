import { createHash } from 'node:crypto';

/** The SHA-256 of texts or bytes, one after the other with the length of each between them, in base64. */
export function digestOf(...parts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  if (parts.length === 1) return hash.update(parts[0]).digest('base64');
  for (const part of parts) {
    const bytes = Buffer.from(part);
    hash.update(`${bytes.length}:`).update(bytes);
  }
  return hash.digest('base64');
}
