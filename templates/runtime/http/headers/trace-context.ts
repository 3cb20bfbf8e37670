import type { IncomingMessage } from 'node:http';

/** A span of a distributed trace: where a request came from. */
export interface Trace {
  /** 32 hex digits */
  traceId: string;
  /** 16 hex digits: the span of the caller. */
  parentId: string;
}

const TRACEPARENT =
  /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(-[\x21-\x7e]{0,100})?$/;

/** Returns the trace that a request belongs to. */
export function traceOf(req: IncomingMessage): Trace | undefined {
  const [, traceId, parentId] = traceparentOf(req)?.split('-') ?? [];
  return traceId === undefined ? undefined : { traceId, parentId };
}

/**
 * Returns the `traceparent` of a request (W3C Trace Context, section 3.2) in version 00; the fields of a later version
 * are read as those of 00. Returns undefined for an absent or malformed header.
 */
export function traceparentOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const header = headers['traceparent'];
  if (typeof header !== 'string') return undefined;
  const [, version, , , more] = TRACEPARENT.exec(header) ?? [];
  if (version === undefined || (version === '00' && more !== undefined)) return undefined;
  return `00${header.slice(2, 55)}`;
}
