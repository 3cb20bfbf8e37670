import type { Request, Response } from 'express';
import { LARGE, noteLarge, turnOfLarge } from '../../concurrency/large-work';
import { checkJson, decodeUtf8, jsonCost, parseJson } from '../../http/request/json-body';
import { noteBody } from '../../idempotency/keyed-request';
import type { MemoryBudget } from '../../memory/memory-budget';
import type { Reservation } from '../../memory/memory-lane';
import { HttpProblem, unavailable } from '../../model/problem';
import type { Json } from '../../model/schema';
import { parsePatch, type Patch, PATCH_MEDIA_TYPES, type PatchMediaType } from '../../patch/apply-patch';
import type { PatchDialect } from '../../patch/json-patch';
import type { Service } from '../../service/service';
import type { MaybePromise } from '../../store/store';
import type { RequestContext } from './request-context';

/** Returns the media type of a Content-Type header, lowercase and without parameters; undefined without a header. */
export function mediaType(req: Request): string | undefined {
  return req.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}

/**
 * Reads a JSON body of one of the media types and calls `action` with it; a body without Content-Type is read as JSON unless
 * `typeRequired`. Memory for the body is reserved before it is received, memory for its value before it is parsed, until `action`
 * ends. Throws HttpProblem: 415 (type, charset, encoding), 413 (too large), 400 (not JSON, too deep, cut short), 503 (no memory).
 */
export async function withBody<T>(
  service: Service,
  context: BodyContext,
  types: BodyTypes,
  action: (body: Json) => Promise<T>,
): Promise<T> {
  refuseType(context.req, types);
  const { body, memory } = await readJson(service, context, types);
  try {
    return await action(body);
  } finally {
    memory.release();
  }
}

/** The part of a request's context that is needed to read its body. */
type BodyContext = Pick<RequestContext, 'req' | 'res' | 'kind' | 'keyed' | 'large'>;

/** A value, and the memory that is reserved for it. */
interface Held<T> {
  body: T;
  memory: Reservation;
}

async function readJson(service: Service, context: BodyContext, { jsonOf }: BodyTypes): Promise<Held<Json>> {
  const { req, res, kind } = context;
  const { MAX_BODY_BYTES, MAX_DEPTH } = service.settings;
  const copies = kind.hooks.validate === undefined ? COPIES : COPIES + 1;
  const forValue = (bytes: number): MaybePromise<Reservation> =>
    service.memory.reserve('document', copies * bytes, res);
  // Middleware in front, such as express.json() or express.raw(), may have read the body already.
  const { body } = req as { body?: unknown };
  if (body !== undefined && !Buffer.isBuffer(body)) {
    checkJson(body as Json, MAX_DEPTH);
    const text = JSON.stringify(body);
    if (context.keyed !== undefined) noteBody(context.keyed, text);
    return { body: body as Json, memory: await forValue(jsonCost(text)) };
  }
  const read = Buffer.isBuffer(body)
    ? { body, memory: service.memory.take('body', body.length) }
    : await readBytes(service.memory, req, res, MAX_BODY_BYTES);
  if (jsonOf !== undefined) read.body = inJson(read, jsonOf);
  if (context.keyed !== undefined) noteBody(context.keyed, read.body);
  const large = read.body.length >= LARGE;
  context.large = large;
  if (large) noteLarge();
  let memory: Reservation | undefined;
  try {
    if (large) await turnOfLarge();
    // The string is made again afterwards: a waiting request holds no more than its bytes.
    memory = await forValue(jsonCost(decodeUtf8(read.body)));
    if (large) await turnOfLarge();
    const value = parseJson(decodeUtf8(read.body), MAX_DEPTH);
    if (large) await turnOfLarge();
    return { body: value, memory };
  } catch (error) {
    memory?.release();
    throw error;
  } finally {
    read.memory.release();
  }
}

/** Returns a body in another format as JSON. */
function inJson({ body, memory }: Held<Buffer>, jsonOf: (text: string) => string): Buffer {
  try {
    return Buffer.from(jsonOf(decodeUtf8(body)));
  } catch (error) {
    memory.release();
    throw error;
  }
}

/** Copies in memory of a value that a request sent: as it was parsed, and within the changed resource. The user's own checks get another. */
const COPIES = 2;

/** The way in which a patch document is read. */
interface PatchReading {
  /** May change the JSON first. */
  prepare?: (type: PatchMediaType, body: Json) => Json;
  dialect?: PatchDialect;
}

/**
 * Reads a patch document of one of the three patch types and calls `action` with its JSON and the way it applies.
 * Throws also 413 for a patch with too many operations. A malformed patch throws only when it is applied, because
 * conditions are evaluated before content.
 */
export function withPatch<T>(
  service: Service,
  context: BodyContext,
  action: (body: Json, patch: Patch) => Promise<T>,
  { prepare = (_type, body) => body, dialect }: PatchReading = {},
): Promise<T> {
  return withBody(service, context, PATCH_BODY, async (read) => {
    const type = mediaType(context.req) as PatchMediaType;
    const body = prepare(type, read);
    const { MAX_PATCH_OPERATIONS, MAX_PATCHED_BYTES, MAX_DEPTH } = service.settings;
    const limits = { operations: MAX_PATCH_OPERATIONS, bytes: MAX_PATCHED_BYTES, depth: MAX_DEPTH };
    const patch = parsedPatch(() => parsePatch(type, body, limits, dialect));
    if (Object.keys(Object(body) as object).length > MANY_CHANGES) await turnOfLarge();
    return action(body, patch);
  });
}

/** Number of changes that may take long to apply, however small they are: each may copy. */
const MANY_CHANGES = 16;

function parsedPatch(parse: () => Patch): Patch {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof HttpProblem) || error.status !== 400) throw error;
    return () => {
      throw error;
    };
  }
}

/** A resource or a status as a whole. */
export const JSON_BODY: BodyTypes = { allowed: ['application/json'], typeRequired: false };

/** Any of the three patches. */
const PATCH_BODY: BodyTypes = {
  allowed: PATCH_MEDIA_TYPES,
  typeRequired: true,
  headers: { 'Accept-Patch': PATCH_MEDIA_TYPES.join(', ') },
};

/** Accepted media types of a body. */
export interface BodyTypes {
  allowed: readonly string[];
  typeRequired: boolean;
  /** Returns a body in another format as JSON text. Throws HttpProblem 400. */
  jsonOf?: (text: string) => string;
  /** Headers of the 415 response, such as Accept-Patch. */
  headers?: { [name: string]: string };
}

function refuseType(req: Request, { allowed, typeRequired, headers }: BodyTypes): void {
  const refuse = (detail: string): never => {
    throw new HttpProblem(415, detail, { headers });
  };
  const type = mediaType(req);
  if (type === undefined ? typeRequired : !allowed.includes(type)) {
    refuse(`The Content-Type must be ${allowed.join(' or ')}.`);
  }
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(req.headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') refuse('The charset must be utf-8.');
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    refuse('The body must have no Content-Encoding.');
}

/**
 * Receives a body. Memory is reserved for its declared length. A body without one gets memory for a small body first,
 * and for the longest allowed body once it exceeds that.
 */
async function readBytes(
  memory: MemoryBudget,
  req: Request,
  res: Response,
  limit: number,
): Promise<Held<Buffer>> {
  const declared = req.headers['content-length'];
  if (Number(declared) > limit) throw tooLarge(limit);
  const isChunked = declared === undefined && req.headers['transfer-encoding'] !== undefined;
  const expected = isChunked ? Math.min(LARGE, limit) : limit;
  let reserved = await memory.reserve('body', isChunked ? expected : Number(declared ?? 0), res);
  try {
    const chunks: Buffer[] = [];
    let isWhole = await receive(req, chunks, expected, reserved);
    if (!isWhole && expected < limit) {
      const small = reserved;
      reserved = await memory.reserve('body', limit, res);
      small.release();
      isWhole = await receive(req, chunks, limit, reserved);
    }
    if (!isWhole) {
      // The rest still flows, so that the client can read the response; Node's request time-out bounds it.
      req.resume();
      throw tooLarge(limit);
    }
    return { body: chunks.length === 1 ? chunks[0] : Buffer.concat(chunks), memory: reserved };
  } catch (error) {
    reserved.release();
    throw error;
  }
}

/** Returns whether a client has sent a body that is not empty, or one of unknown length. */
export function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const ALREADY_READ = 'middleware has read the body of the request, but has not put it into req.body';

function tooLarge(limit: number): HttpProblem {
  return new HttpProblem(413, `The body is larger than ${limit} bytes.`);
}

/**
 * Receives chunks until the body ends and returns true. Returns false, with the request paused, when the body exceeds
 * `limit`.
 */
async function receive(req: Request, chunks: Buffer[], limit: number, memory: Reservation): Promise<boolean> {
  if (req.readableEnded) {
    // The client has sent a body: to call it invalid would mislead.
    if (chunks.length === 0 && hasBody(req)) throw new Error(ALREADY_READ);
    return true;
  }
  if (req.destroyed) throw incomplete();
  let size = chunks.reduce((sum, { length }) => sum + length, 0);
  return new Promise((resolve, reject) => {
    const settle = (action: () => void): void => {
      req.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      memory.clientDone();
      action();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      req.pause();
      settle(() => resolve(false));
    };
    const onEnd = (): void => settle(() => resolve(true));
    const onCut = (): void => settle(() => reject(incomplete()));
    req.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut).resume();
    memory.awaitClient(() => settle(() => reject(tooSlow())));
  });
}

/** The problem of a client that has ended its request too early. It is made only then: an error reads the stack. */
function incomplete(): HttpProblem {
  return new HttpProblem(400, 'The body is incomplete.');
}

/** The problem of a client whose body has not arrived while others wait for memory. */
function tooSlow(): HttpProblem {
  const detail = 'The body did not arrive in time, and its memory was needed; nothing was written.';
  return unavailable(detail, { Connection: 'close' });
}
