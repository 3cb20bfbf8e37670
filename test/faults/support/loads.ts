import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { JSON_TYPE, send } from './client';

/** A load of many clients on a service. Resolves with the function that ends it. */
export type Load = (port: number) => Promise<() => Promise<void>>;

const ANNOTATIONS = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, 'value']));

/** The requests of wrk, from so many connections at once, for one device. */
const wrk = (connections: number, script?: string): Load => {
  return async (port) => {
    const body = { metadata: { annotations: ANNOTATIONS }, spec: { name: 'under load' } };
    const created = await send(port, 'POST', '/devices', { headers: JSON_TYPE, body });
    const url = `http://127.0.0.1:${port}${created.headers.location!}`;
    const scripted = script === undefined ? [] : ['-s', join(__dirname, script)];
    const args = ['-t1', `-c${connections}`, '-d600s', '--timeout', '60s', ...scripted, url];
    const load = spawn('wrk', args, { stdio: 'ignore' });
    await once(load, 'spawn');
    return async () => {
      load.kill();
      await once(load, 'exit');
    };
  };
};

/** Loads on the service that is read; each has found reads of an earlier state there. */
export const LOADS: { [name: string]: Load } = {
  /** More requests than the event loop takes from the system at once. */
  'under 2,500 connections': wrk(2_500),
  /** Each is applied in a turn of the event loop that it shares with no other. */
  'under long patches': wrk(1, 'long-patches.lua'),
  /** Reads that begin when a timer ends. */
  'under timers': wrk(200, 'timers.lua'),
};
