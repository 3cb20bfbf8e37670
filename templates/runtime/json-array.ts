import type { OutgoingHttpHeaders } from 'node:http';
import type { Response } from 'express';
import type { Call } from './call';
import { CHUNK_LENGTH } from './list-rows';
import { send, sendEmpty } from './respond';

/** Answers 200 with a JSON array, its elements in texts that are joined by commas: a short one as it is, a long one as it is read. */
export async function sendArray(
  { req, res }: Call,
  texts: AsyncGenerator<{ joined: string }, void, void>,
  headers: OutgoingHttpHeaders,
): Promise<void> {
  let text = '';
  let separator = '[';
  for await (const { joined } of texts) {
    text += separator + joined;
    separator = ',';
    if (text.length < CHUNK_LENGTH) continue;
    if (req.method === 'HEAD') return sendEmpty(res, 200, headers);
    if (!res.headersSent) res.writeHead(200, { ...headers, 'X-Content-Type-Options': 'nosniff' });
    if (res.destroyed) return;
    if (!res.write(text)) await flowing(res);
    text = '';
  }
  text += separator === '[' ? '[]' : ']';
  if (res.headersSent) res.end(text);
  else send(req, res, 200, headers, text);
}

/** Resolves when the client has taken what was written, or is gone. */
function flowing(res: Response): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}
