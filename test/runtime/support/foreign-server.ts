import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Values of a row, by column. */
interface Row {
  [column: string]: string;
}

/** A server on a port of this machine that speaks PostgreSQL's protocol. */
export interface ForeignServer {
  url: string;
  close(): void;
}

/**
 * Starts a server that accepts every connection and responds to each simple query with one row, by the documentation of
 * the protocol (https://www.postgresql.org/docs/current/protocol-flow.html). It stands for servers that cannot run here:
 * it proves that they are recognised by their responses, not that they respond so.
 */
export async function startForeignServer(respond: (sql: string) => Row): Promise<ForeignServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    let received = Buffer.alloc(0);
    let isStarted = false;
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      for (;;) {
        // Every message but the first has a type in front of its length.
        const head = isStarted ? 1 : 0;
        if (received.length < head + 4) return;
        const end = head + received.readInt32BE(head);
        if (received.length < end) return;
        const type = isStarted ? String.fromCharCode(received[0]) : '';
        const body = received.subarray(head + 4, end);
        received = received.subarray(end);
        if (!isStarted) socket.write(Buffer.concat([message('R', int32(0)), READY]));
        else if (type === 'Q') socket.write(rowOf(respond(body.toString('utf8', 0, body.length - 1))));
        else return void socket.destroy();
        isStarted = true;
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `postgres://user@127.0.0.1:${(server.address() as AddressInfo).port}/shop`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

const text = (value: string): Buffer => Buffer.from(`${value}\0`);

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

const READY = message('Z', Buffer.from('I'));
const TEXT_OID = 25;

/** A row of strings and the end of its query. */
function rowOf(row: Row): Buffer {
  const columns = Object.entries(row);
  const described = columns.map(([name]) =>
    Buffer.concat([text(name), int32(0), int16(0), int32(TEXT_OID), int16(-1), int32(-1), int16(0)]),
  );
  const values = columns.map(([, value]) =>
    Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)]),
  );
  return Buffer.concat([
    message('T', int16(columns.length), ...described),
    message('D', int16(columns.length), ...values),
    message('C', text('SELECT 1')),
    READY,
  ]);
}
