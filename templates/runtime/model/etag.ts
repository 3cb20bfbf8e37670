import { hash } from 'node:crypto';

/** Returns the ETag of a JSON text: its SHA-256 in hex, quoted (specification, "Conditional request headers"). */
export function etagOf(text: string): string {
  return `"${hash('sha256', text, 'hex')}"`;
}
