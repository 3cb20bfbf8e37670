import { ResponseTooLargeError } from './errors';

/** Reads a body as UTF-8 text. Throws ResponseTooLargeError, before it holds more, for one of more than `limit` bytes. */
export async function textOf(response: Response, limit: number): Promise<string> {
  const body = response.body as Partial<ReadableStream<Uint8Array>> | null;
  // React Native has no streams, and node-fetch has those of Node: the limit does not count there.
  if (body?.getReader === undefined) return response.text();
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  let left = limit;
  try {
    for (;;) {
      const chunk = (await reader.read()) as { done: false; value: Uint8Array } | { done: true };
      if (chunk.done) return text + decoder.decode();
      left -= chunk.value.length;
      if (left < 0) throw new ResponseTooLargeError(`the response has more than ${limit} bytes`);
      text += decoder.decode(chunk.value, { stream: true });
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
