import { createServer } from 'node:http';

/** The floor of every GET: node:http alone, the same bytes for whatever is asked. */

const text = process.env.ANSWER;
const headers = {
  'Content-Type': 'application/json',
  ETag: `"${'a'.repeat(64)}"`,
  'Last-Modified': 'Wed, 01 Jan 2025 00:00:00 GMT',
  Vary: 'Accept',
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Content-Length': Buffer.byteLength(text),
};

createServer((_req, res) => {
  res.writeHead(200, headers);
  res.end(text);
}).listen(Number(process.env.PORT), () => console.log('listening'));
