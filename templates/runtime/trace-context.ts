import type { IncomingMessage } from 'node:http';

/** A span of a distributed trace: where a request came from. */
export interface Trace {
  /** 32 hex digits */
  traceId: string;
  /** 16 hex digits: the span of the caller. */
  parentId: string;
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(-.*)?$/;

/**
 * The trace that a request belongs to by its `traceparent` (W3C Trace Context, section 3.2); undefined without one, and for
 * one that is malformed.
 */
export function traceOf(req: IncomingMessage): Trace | undefined {
  const header = req.headers['traceparent'];
  const match = typeof header === 'string' ? TRACEPARENT.exec(header) : null;
  if (match === null) return undefined;
  const [, traceId, parentId, more] = match;
  // Version 00 has these four parts alone.
  if (more !== undefined && match[0].startsWith('00')) return undefined;
  return { traceId, parentId };
}
