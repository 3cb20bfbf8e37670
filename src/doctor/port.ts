import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { get as getSecurely } from 'node:https';
import { createServer, isIPv6 } from 'node:net';
import { tryOr } from '../files/try-or';
import { loadProject } from '../load/load-project';
import { type Examination, type Found, ok, problem, warning } from './finding';

/** The time for a listener on the port to identify itself, in milliseconds. */
const IDENTIFY_MS = 1_000;

/** The part of its response that is read, in bytes: that of a service with thousands of kinds fits in. */
const IDENTIFY_BYTES = 4 * 1024 * 1024;

const ANOTHER_PORT = 'set another port, such as PORT=8081 npm start';

/** Checks that the service can listen where its settings say, or listens there already. */
export async function checkPort({ folder, environment, problems }: Examination): Promise<Found> {
  const host = environment['HOST'] || undefined;
  const port = Number(environment['PORT'] || 8080);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    return problem(`PORT=${environment['PORT']} is not a port`, 'set an integer from 0 to 65535');
  }
  const place = host === undefined ? `port ${port}` : `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const code = await listenError(host, port);
  if (code === undefined) return ok(`${place} is free`);
  if (code === 'EACCES') return problem(`${place} requires more privileges`, 'set a PORT of 1024 or above');
  if (code !== 'EADDRINUSE')
    return problem(`${place}: ${code}`, 'HOST must be an IP address of this machine');
  const name = await nameOfService(host, port, Boolean(environment['TLS_CERT']));
  const own = problems.length === 0 ? loadProject(folder).project.name : undefined;
  const folders = listenersOn(port);
  if (name !== undefined && name === own) {
    if (folders.some((each) => isSameFolder(each, folder))) return ok(`${place}: this service listens there`);
    const hint = `if it is not this one: ${ANOTHER_PORT}`;
    if (folders.length === 0) return warning(`${place}: a service of this name listens there`, hint);
  }
  const who = name === undefined ? 'another program' : `the service ${name}`;
  const where = folders.length === 0 ? '' : `, in ${folders[0]}`;
  return problem(`${place} is in use by ${who}${where}`, `stop it, or ${ANOTHER_PORT}`);
}

/** The code of the error that listening there ends with; undefined when it can be done. */
function listenError(host: string | undefined, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => resolve(code));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

/**
 * Returns the name of a generated service that listens there; undefined for anything else. The certificate of one that speaks
 * https may have any name.
 */
async function nameOfService(
  host: string | undefined,
  port: number,
  isSecure: boolean,
): Promise<string | undefined> {
  const isAny = host === undefined || host === '0.0.0.0';
  const options = {
    host: isAny ? '127.0.0.1' : host === '::' ? '::1' : host,
    port,
    headers: { Accept: 'application/json' },
    agent: false,
    rejectUnauthorized: false,
    signal: AbortSignal.timeout(IDENTIFY_MS),
  };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      (isSecure ? getSecurely : get)(options, resolve).on('error', reject),
    );
    const { name, kinds } = JSON.parse(await beginningOf(response)) as { name?: string; kinds?: object };
    return kinds === undefined ? undefined : name;
  } catch {
    return undefined;
  }
}

/** Returns the text of a response, cut off after IDENTIFY_BYTES: any program may listen there. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > IDENTIFY_BYTES) break;
  }
  return Buffer.concat(chunks).toString();
}

/** The state of a listening socket in /proc/net/tcp. */
const LISTEN = '0A';

/**
 * Returns the folders of the processes that listen on a TCP port, as Linux reports them; none where it does not, or where
 * the processes belong to others.
 */
function listenersOn(port: number): string[] {
  const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => listeningSockets(table, port)));
  if (sockets.size === 0) return [];
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.filter((id) => holdsOne(id, sockets)).flatMap((id) => linkOf(`/proc/${id}/cwd`) ?? []);
}

/** Returns true where both paths lead to one folder. */
function isSameFolder(one: string, other: string): boolean {
  return tryOr(() => realpathSync(one) === realpathSync(other), false);
}

/** Sockets as /proc names them: `socket:[12345]`. */
function listeningSockets(table: string, port: number): string[] {
  const text = tryOr(() => readFileSync(`/proc/net/${table}`, 'utf8'), '');
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(end) && state === LISTEN)
    .map((columns) => `socket:[${columns[9]}]`);
}

function holdsOne(process: string, sockets: ReadonlySet<string>): boolean {
  const folder = `/proc/${process}/fd`;
  const names = tryOr(() => readdirSync(folder), []);
  return names.some((name) => sockets.has(linkOf(`${folder}/${name}`) ?? ''));
}

function linkOf(path: string): string | undefined {
  return tryOr(() => readlinkSync(path), undefined);
}
