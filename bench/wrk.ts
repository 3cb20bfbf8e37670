import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LOAD_CORE, type Server, SERVER_CORE } from './server';

/** Measurements of one run of a load against a server. */
export interface Measurement {
  /** CPU time of the server for each request, in µs. */
  cpu: number;
  /** Requests per second. */
  rate: number;
  /** 99th percentile of the response time, in ms. */
  p99?: number;
}

/**
 * A load: its name in load.lua, and its number of concurrent clients. `path` is the collection of a GET, which is
 * `/devices` else.
 */
export interface Load {
  /** A load of load.lua; `path` alone makes GETs of that path, and `lists` a POST after nine of them. */
  name: 'get' | 'post' | 'postunique' | 'postwithsite' | 'patch' | 'mixed' | 'lists' | 'poll' | 'path';
  clients: number;
  /** Time that a client waits before each request, in ms; 0 by default. */
  pause?: number;
  path?: string;
  /** The header Accept. */
  accept?: string;
}

/** The report of one run of a load: percentiles of the response time are in ms. */
export interface Report {
  requests: number;
  seconds: number;
  p99: number;
  p999: number;
  failed: number;
}

const run = promisify(execFile);

/** Puts a server under a load for some seconds. `file` has the uids to use. Throws when a request failed. */
export async function measure(
  server: Server,
  load: Load,
  seconds: number,
  file?: string,
): Promise<Measurement> {
  const before = server.cpu();
  const { requests, seconds: took, p99 } = await wrk(server, load, seconds, file);
  return { cpu: (server.cpu() - before) / requests, rate: requests / took, p99 };
}

/** Runs a peer that is no server and measures itself. */
export function measureAlone(
  name: string,
  seconds: number,
  environment: { [name: string]: string },
): Measurement {
  const command = ['-c', SERVER_CORE, process.execPath, join(__dirname, 'peers', `${name}.mjs`)];
  const env = { ...process.env, ...environment, SECONDS: String(seconds) };
  return JSON.parse(execFileSync('taskset', command, { env, encoding: 'utf8' })) as Measurement;
}

/** Puts a server under a load for some seconds. Throws when a request failed. */
export async function wrk(
  server: Server,
  { name, clients, pause = 0, path, accept }: Load,
  seconds: number,
  file?: string,
): Promise<Report> {
  const options = [
    '-t1',
    `-c${clients}`,
    `-d${seconds}s`,
    '--timeout',
    '30s',
    '-s',
    join(__dirname, 'load.lua'),
    ...(accept === undefined ? [] : ['-H', `Accept: ${accept}`]),
  ];
  const target = [
    `${server.url}${path ?? ''}`,
    '--',
    name,
    String(pause),
    ...(file === undefined ? [] : [file]),
  ];
  const { stdout } = await run('taskset', ['-c', LOAD_CORE, 'wrk', ...options, ...target]);
  const report = JSON.parse(stdout.trim().split('\n').at(-1)!) as Report;
  if (report.failed > 0)
    throw new Error(`${report.failed} of ${report.requests} requests failed: ${target.join(' ')}`);
  return report;
}

/** Returns the median of an odd number of measurements, value by value. */
export function median(measurements: Measurement[]): Measurement {
  const middle = (value: (measurement: Measurement) => number): number => middleOf(measurements.map(value));
  return {
    cpu: middle(({ cpu }) => cpu),
    rate: middle(({ rate }) => rate),
    p99: middle(({ p99 = NaN }) => p99),
  };
}

/** Returns the median of an odd number of numbers. */
export function middleOf(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}
