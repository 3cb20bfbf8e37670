import type { Request } from 'express';
import { checkJson, decodeUtf8, parseJson } from './json-body';
import { parsePatch, PATCH_MEDIA_TYPES, type Patch, type PatchMediaType } from './patch/apply-patch';
import type { PatchLimits } from './patch/limits';
import { HttpProblem } from './problem';
import type { Json } from './schema';
import type { Settings } from './settings';
import { LARGE, turnOfLarge } from './turns';

/** The media type of a Content-Type header, lowercase, without parameters; undefined without a header. */
export function mediaType(req: Request): string | undefined {
  return req.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}

/**
 * Reads a JSON body of one of the media types; a body without Content-Type is read as JSON unless
 * `typeRequired`. Throws HttpProblem: 415 (type, charset, encoding), 413 (too large), 400 (not JSON, too
 * deep, cut short).
 */
export async function readBody(req: Request, types: BodyTypes, settings: Settings): Promise<Json> {
  refuseType(req, types);
  const { MAX_BODY_BYTES, MAX_DEPTH } = settings;
  // Middleware in front, such as express.json() or express.raw(), may have read the body already.
  const { body } = req as { body?: unknown };
  if (body !== undefined && !Buffer.isBuffer(body)) return checkJson(body as Json, MAX_DEPTH);
  const bytes = body ?? (await readBytes(req, MAX_BODY_BYTES));
  if (bytes.length < LARGE) return parseJson(decodeUtf8(bytes), MAX_DEPTH);
  await turnOfLarge();
  const parsed = parseJson(decodeUtf8(bytes), MAX_DEPTH);
  await turnOfLarge();
  return parsed;
}

/**
 * Reads a patch document of one of the three patch types: its JSON, and how it applies. `prepare` may change
 * the JSON first. Throws also 413 for a patch with too many operations; a malformed one throws when it is applied,
 * for conditions are answered before content.
 */
export async function readPatch(
  req: Request,
  settings: Settings,
  prepare: (type: PatchMediaType, body: Json) => Json = (_type, body) => body,
): Promise<{ body: Json; patch: Patch }> {
  const read = await readBody(req, PATCH_BODY, settings);
  const type = mediaType(req) as PatchMediaType;
  const body = prepare(type, read);
  const { MAX_PATCH_OPERATIONS, MAX_PATCHED_BYTES, MAX_DEPTH } = settings;
  const limits = { operations: MAX_PATCH_OPERATIONS, bytes: MAX_PATCHED_BYTES, depth: MAX_DEPTH };
  const patch = parsedPatch(type, body, limits);
  if (Object.keys(Object(body) as object).length > MANY_CHANGES) await turnOfLarge();
  return { body, patch };
}

/** So many changes may take long to apply, however small they are: each may copy. */
const MANY_CHANGES = 16;

function parsedPatch(type: PatchMediaType, body: Json, limits: PatchLimits): Patch {
  try {
    return parsePatch(type, body, limits);
  } catch (error) {
    if (!(error instanceof HttpProblem) || error.status !== 400) throw error;
    return {
      apply() {
        throw error;
      },
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

/** What a body may be. */
export interface BodyTypes {
  allowed: readonly string[];
  typeRequired: boolean;
  /** Headers of the 415 answer, such as Accept-Patch. */
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

function readBytes(req: Request, limit: number): Promise<Buffer> {
  const tooLarge = (): HttpProblem => new HttpProblem(413, `The body is larger than ${limit} bytes.`);
  if (Number(req.headers['content-length']) > limit) return Promise.reject(tooLarge());
  if (req.readableEnded) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      // The rest still flows, so that the client gets to read the answer; Node's request time-out bounds it.
      req.off('data', onData).resume();
      reject(tooLarge());
    };
    const cut = (): void => reject(new HttpProblem(400, 'The body was cut short.'));
    req.on('data', onData);
    req.on('error', cut).on('close', cut);
    req.on('end', () => {
      req.off('close', cut);
      resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    });
  });
}
