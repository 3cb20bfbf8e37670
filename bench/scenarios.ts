import type { ContestantName } from './contestants';
import { type VariantName, VARIANTS } from './services';
import type { Load } from './wrk';

/** The same load on several servers, in turn. */
export interface Scenario {
  title: string;
  load: Load;
  /** Number of devices at the start. */
  devices: number;
  /** Time that a sync of the disk takes in addition, in ms; 0 by default. */
  syncMs?: number;
  /** The measured server. */
  subject: VariantName;
  /** The peers, and the least wanted ratio of CPU times: above 1 the subject takes less. 0 wants nothing. */
  against: { [name in ContestantName]?: number };
  /** True if a quick run includes it. */
  quick?: boolean;
}

const GET: Load = { name: 'get', clients: 32 };
const POST: Load = { name: 'post', clients: 64 };

/** Scenarios that change the data come last. */
export const SCENARIOS: Scenario[] = [
  {
    title: 'GET by uid of 10,000',
    load: GET,
    devices: 10_000,
    subject: 'svcgen',
    against: { express: 10, fastify: 1.5, 'http-select': 0.9, http: 0, 'json-server': 0 },
    quick: true,
  },
  {
    title: 'GET, Express as the host',
    load: GET,
    devices: 10_000,
    subject: 'svcgen',
    against: { 'without-express': 0.9 },
  },
  {
    title: 'GET, three middlewares in front',
    load: GET,
    devices: 10_000,
    subject: 'middlewares',
    against: { 'middlewares-without-express': 0.9 },
  },
  {
    title: 'GET, 500 kinds instead of one',
    load: GET,
    devices: 10_000,
    subject: '500-kinds',
    against: { svcgen: 0.95 },
  },
  {
    title: 'List of 100',
    load: { name: 'path', path: '/devices?limit=100', clients: 32 },
    devices: 10_000,
    subject: 'svcgen',
    against: { express: 7, fastify: 5, http: 0 },
    quick: true,
  },
  {
    title: 'Nine lists of 100 and a POST',
    load: { name: 'lists', path: '/devices?limit=100', clients: 32 },
    devices: 10_000,
    subject: 'svcgen',
    against: { express: 7, fastify: 5 },
    quick: true,
  },
  {
    title: 'List of 10,000',
    load: { name: 'path', path: '/devices', clients: 2 },
    devices: 10_000,
    subject: 'svcgen',
    against: { express: 0, fastify: 0 },
  },
  {
    title: 'PATCH with If-Match, 64 clients',
    load: { name: 'patch', clients: 64 },
    devices: 10_000,
    subject: 'svcgen',
    against: { express: 12, fastify: 4, 'http-write': 0 },
    quick: true,
  },
  {
    title: 'POST, durable, 64 clients',
    load: POST,
    devices: 10_000,
    subject: 'svcgen',
    against: { express: 8, fastify: 3.5, 'http-write': 0, 'json-server': 0, sqlite: 0.4 },
    quick: true,
  },
  {
    title: 'POST with history and events',
    load: POST,
    devices: 10_000,
    subject: 'recorded',
    against: { express: 5, fastify: 0 },
  },
  {
    title: 'PostgreSQL: GET',
    load: GET,
    devices: 10_000,
    subject: 'postgres',
    against: { 'express-pg': 5.5 },
  },
  {
    title: 'PostgreSQL: PATCH with If-Match, 64 clients',
    load: { name: 'patch', clients: 64 },
    devices: 10_000,
    subject: 'postgres',
    against: { 'express-pg': 5 },
  },
  {
    title: 'PostgreSQL: POST, durable, 64 clients',
    load: POST,
    devices: 10_000,
    subject: 'postgres',
    against: { 'express-pg': 3 },
  },
];

/** A regression: a server takes more than this times the CPU time of the other commit's. */
const LEAST = 0.95;

/** Returns the scenarios of the services that another commit can generate, too, each against that. */
export function againstBefore(): Scenario[] {
  const measured = SCENARIOS.filter(({ subject }) => !('files' in VARIANTS[subject]));
  const loads = measured.map(({ subject, load }) => JSON.stringify([subject, load]));
  return measured
    .filter((_, index) => loads.indexOf(loads[index]) === index)
    .map((scenario) => ({ ...scenario, against: { [`${scenario.subject}@before`]: LEAST } }));
}
