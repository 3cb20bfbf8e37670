import { createServer } from 'node:net';
import { parseEnv } from 'node:util';
import { loadProject } from '../load/load-project';
import { serviceSettings } from '../render/settings-table';
import { closest } from '../suggest';
import type { Examination } from './examination';
import { ok, problem, warning, type Found } from './finding';
import { isTracked } from './git';

/** How long what listens on the port may take to say who it is, in milliseconds. */
const ANSWER_MS = 1_000;

/** Whether there is a `.env`, that it is not published, and that its names are settings. */
export async function checkEnvFile({ folder, envFile }: Examination): Promise<Found> {
  if (envFile === undefined) return ok('none; .env.example shows what can be set');
  if (await isTracked(folder, '.env')) {
    return problem('under version control, where its secrets do not belong', 'git rm --cached .env');
  }
  const names = Object.keys(parseEnv(envFile)).sort();
  const settings = serviceSettings('service').map(({ name }) => name);
  for (const name of names.filter((each) => !settings.includes(each))) {
    const meant = closest(name, settings);
    if (meant !== undefined) return warning(`${name} is no setting of the service`, `did you mean ${meant}?`);
  }
  return ok(`read; it has ${names.length === 0 ? 'nothing' : names.join(', ')}`);
}

/** Whether the service can listen where its settings say, or listens there already. */
export async function checkPort({ folder, environment, problems }: Examination): Promise<Found> {
  const host = environment['HOST'] || '0.0.0.0';
  const port = Number(environment['PORT'] || 8080);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    return problem(`PORT=${environment['PORT']} is no port`, 'set an integer from 0 to 65535');
  }
  const code = await listenError(host, port);
  if (code === undefined) return ok(`${host}:${port} is free`);
  if (code === 'EADDRINUSE') {
    const name = await nameOfService(host, port);
    const own = problems.length === 0 ? loadProject(folder).project.name : undefined;
    if (name !== undefined && name === own) return ok(`${host}:${port}: this service listens there`);
    const who = name === undefined ? 'another program' : `the service ${name}`;
    return problem(`${host}:${port} is taken by ${who}`, 'stop it, or set another PORT');
  }
  if (code === 'EACCES') return problem(`${host}:${port} is not for this user`, 'set a PORT from 1024');
  return problem(`${host}:${port}: ${code}`, 'HOST must be an address of this machine');
}

/** The code of the error that listening there ends with; undefined when it can be done. */
function listenError(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => resolve(code));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

/** What a generated service that listens there is called; undefined for anything else. */
async function nameOfService(host: string, port: number): Promise<string | undefined> {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host;
  try {
    const answer = await fetch(`http://${reachable}:${port}/`, {
      headers: { Accept: 'application/json' },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const { name, kinds } = (await answer.json()) as { name?: string; kinds?: object };
    return kinds === undefined ? undefined : name;
  } catch {
    return undefined;
  }
}
