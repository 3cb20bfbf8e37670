import type { OutgoingHttpHeaders } from 'node:http';
import { send, sendEmpty, writeHead } from '../../http/responses/respond';
import type { RequestContext } from '../request/request-context';
import type { ListMemory } from './list-memory';
import { CHUNK_LENGTH } from './list-rows';

/** A part of a JSON array: the texts of some elements, joined by commas. */
export interface Piece {
  joined: string;
  /** Set where its last element goes on in the next piece. */
  isOpen?: boolean;
}

/** The parts of a JSON array, made as they are sent. */
export type Pieces = AsyncGenerator<Piece, void, void>;

/** The text around the elements, and between two of them. */
export interface Frame {
  start: string;
  separator: string;
  /** Called when all elements are there. */
  end(): string;
}

const ARRAY: Frame = { start: '[', separator: ',', end: () => ']' };

/**
 * Sends 200 with a JSON array whose elements come in strings joined by commas. A short array is sent at once, and its text
 * returned, a long one is sent as it is read. `memory` is the reservation of the strings; it is released at the end.
 */
export async function sendArray(
  { req, res }: RequestContext,
  texts: Pieces | readonly Piece[],
  headers: OutgoingHttpHeaders,
  memory: ListMemory,
  frame = ARRAY,
): Promise<string | undefined> {
  let text = frame.start;
  let separator = '';
  // Middleware that goes on twice, or after a response of its own, may have sent a head too: that must fail.
  let isBegun = false;
  // Both stay outside the loop, which would otherwise hold what it has sent while it waits for memory.
  const add = (piece: Piece): void => {
    text += separator + piece.joined;
    separator = piece.isOpen ? '' : frame.separator;
    piece.joined = '';
  };
  const take = (): Buffer => {
    const bytes = Buffer.from(text);
    text = '';
    return bytes;
  };
  try {
    for await (const piece of texts) {
      // This happens for resources that the caller may not get.
      if (piece.joined === '') continue;
      add(piece);
      if (text.length < CHUNK_LENGTH) continue;
      if (req.method === 'HEAD') {
        sendEmpty(res, 200, headers);
        return undefined;
      }
      if (!isBegun) writeHead(res, 200, headers);
      isBegun = true;
      await memory.write(take);
    }
    text += frame.end();
    if (isBegun) {
      res.end(text);
      return undefined;
    }
    send(req, res, 200, headers, text);
    return text;
  } finally {
    memory.release();
  }
}
