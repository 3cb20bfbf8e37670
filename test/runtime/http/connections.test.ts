import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Connections } from '../../../templates/runtime/http/connections';

test.each([
  ['1.1', 'end'],
  // There, the end of a connection is that of a body: proxies would take half a list for the whole.
  ['1.0', 'ECONNRESET'],
])('a response in HTTP/%s that is cut off at a stop: %s', async (version, want) => {
  const server = createServer((_req, res) => void res.writeHead(200).write('['));
  const connections = new Connections(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  let last = '';
  socket.on('error', ({ code }: NodeJS.ErrnoException) => (last = code!)).on('end', () => (last = 'end'));
  socket.write(`GET / HTTP/${version}\r\nHost: a\r\n\r\n`);
  await new Promise((begun) => socket.on('data', begun));
  connections.closeAll();
  await new Promise((closed) => socket.on('close', closed));
  expect(last).toBe(want);
  server.close();
});
