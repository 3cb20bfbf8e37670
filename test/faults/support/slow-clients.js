const { connect } = require('node:net');

/*
 * Clients that send a byte every 250 ms: `node slow-clients.js <port> <count> <patience in ms> headers|body`. When all of them are
 * closed, or the patience is at its end, it prints { closed, longest }: how many, and when the last of them, in ms.
 */
const [port, count, patience] = process.argv.slice(2, 5).map(Number);
const START = {
  headers: 'GET /devices HTTP/1.1\r\nHost: slow\r\nX-Slow: ',
  body: 'POST /devices HTTP/1.1\r\nHost: slow\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n"',
}[process.argv[5]];

let closed = 0;
let longest = 0;

function end() {
  process.stdout.write(`${JSON.stringify({ closed, longest })}\n`, () => process.exit(0));
}

for (let left = count; left > 0; left--) {
  let start;
  const socket = connect(port, '127.0.0.1', () => {
    start = performance.now();
    socket.write(START);
    const timer = setInterval(() => socket.write('x'), 250);
    socket.on('close', () => {
      clearInterval(timer);
      closed += 1;
      longest = Math.max(longest, performance.now() - start);
      if (closed === count) end();
    });
  });
  socket.on('error', () => undefined).resume();
}
setTimeout(end, patience);
