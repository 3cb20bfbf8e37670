import { ResponseTooLargeError } from './errors';

/** Reads a body as UTF-8 text. Throws ResponseTooLargeError, before it holds more, for one of more than `limit` bytes. */
export async function textOf({ body }: Response, limit: number): Promise<string> {
  if (body === null) return '';
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
