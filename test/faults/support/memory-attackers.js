const { connect } = require('node:net');

/*
 * Clients that want a service's memory: `node memory-attackers.js <port> <count> <seconds> <path of a large resource> <attack>…`.
 * There are `count` clients of each attack at once; one whose connection ends comes again. After the time it prints the answers
 * of each attack: how many of each status, `cut` for a connection that ended without a response, `wrong` for a refusal that is no
 * problem.
 */
const [port, count, seconds] = process.argv.slice(2, 5).map(Number);
const [large, ...attacks] = process.argv.slice(5);

const get = (path) => `GET ${path} HTTP/1.1\r\nHost: attack\r\n\r\n`;
const lists = JSON.stringify([{ op: 'add', path: '/spec/data', value: 0 }]).replace(
  '0',
  `[${'[],'.repeat(349_000)}[]]`,
);
const write = (method, path, type, body, length = body.length) =>
  `${method} ${path} HTTP/1.1\r\nHost: attack\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${body}`;

/** The requests of each attack, and whether it reads the responses. */
const ATTACKS = {
  pages: { send: () => get('/devices?limit=1000') },
  lists: { send: () => get('/devices') },
  resources: { send: () => get(large).repeat(20) },
  snapshots: { send: () => get(`${large}/versions`) },
  streams: { send: () => get('/events?lastEventId=0') },
  bodies: { send: () => write('POST', '/devices', 'application/json', ' '.repeat(1_000_000), 1_000_001) },
  chunks: {
    send: () =>
      'POST /devices HTTP/1.1\r\nHost: attack\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n' +
      `f0000\r\n${' '.repeat(0xf0000)}\r\n`,
  },
  readers: { send: () => get('/devices?limit=1000'), reads: true },
  patches: { send: () => write('PATCH', large, 'application/json-patch+json', lists), reads: true },
  puts: {
    send: () =>
      write('PUT', large, 'application/json', `{"spec":{"name":"large","data":[${'{},'.repeat(330_000)}0]}}`),
    reads: true,
  },
};

const responses = {};
let over = false;

function note(attack, response) {
  responses[attack] ??= {};
  responses[attack][response] = (responses[attack][response] ?? 0) + 1;
}

function attackOnce(attack, { send, reads }) {
  const start = performance.now();
  const socket = connect(port, '127.0.0.1', () => socket.write(send()));
  let head = '';
  let length = 0;
  let expected = Infinity;
  const onData = (chunk) => {
    if (head.length < 2_000) head += chunk.toString('latin1').slice(0, 2_000);
    length += chunk.length;
    if (expected === Infinity) {
      const end = head.indexOf('\r\n\r\n');
      const [, size] = /\r\ncontent-length: (\d+)/i.exec(head) ?? [];
      if (end >= 0 && size !== undefined) expected = end + 4 + Number(size);
    }
    if (reads && (length >= expected || chunk.subarray(-7).toString().endsWith('\r\n0\r\n\r\n')))
      socket.destroy();
  };
  if (reads) socket.on('data', onData);
  else socket.pause();
  socket.on('error', () => undefined);
  socket.on('close', () => {
    const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(head) ?? [];
    if (status === undefined) note(attack, reads && !over ? 'cut' : 'unread');
    else if (status >= '400' && !head.includes('application/problem+json')) note(attack, 'wrong');
    else note(attack, status);
    // Not at once: who is refused would take all of the processor.
    if (!over)
      setTimeout(() => attackOnce(attack, { send, reads }), Math.max(0, 100 - (performance.now() - start)));
  });
  // One that does not read looks at what has come when the service is done with it, or after a while.
  if (!reads) setTimeout(() => socket.on('data', onData).resume(), patience()).unref();
  sockets.add(socket);
}

const sockets = new Set();
const patience = () => (seconds - 2) * 1_000;

for (const attack of attacks) for (let left = count; left > 0; left--) attackOnce(attack, ATTACKS[attack]);
setTimeout(() => {
  over = true;
  for (const socket of sockets) socket.destroy();
  setTimeout(() => process.stdout.write(`${JSON.stringify(responses)}\n`, () => process.exit(0)), 200);
}, seconds * 1_000);
