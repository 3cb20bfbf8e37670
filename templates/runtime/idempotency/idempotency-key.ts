import type { IncomingMessage } from 'node:http';
import { HttpProblem } from '../model/problem';

const HEADER = 'idempotency-key';

/** A string of structured fields (RFC 9651, section 3.3.3), of visible characters only. */
const QUOTED = /^"((?:[!#-[\]-~]|\\["\\])*)"$/;
/** The same without quotes, as many clients send it. */
const BARE = /^[!#-~][!-~]*$/;

/** Maximum length of a key, in characters. */
const LONGEST = 255;

/**
 * Returns the key in a request's Idempotency-Key header (draft-ietf-httpapi-idempotency-key-header), quoted or bare;
 * undefined without the header. Throws HttpProblem 400 for a malformed one.
 */
export function idempotencyKeyOf(req: IncomingMessage): string | undefined {
  if (req.headers[HEADER] === undefined) return undefined;
  const [value = '', ...others] = req.headersDistinct[HEADER] ?? [];
  const key = QUOTED.exec(value)?.[1].replace(/\\(.)/g, '$1') ?? BARE.exec(value)?.[0] ?? '';
  if (key === '' || key.length > LONGEST || others.length > 0)
    throw new HttpProblem(
      400,
      `The Idempotency-Key must be one string of 1 to ${LONGEST} visible ASCII characters, quoted or not.`,
    );
  return key;
}
