import type { ContestantName } from './contestants';
import type { Load } from './wrk';

/** The same load on several servers, in turn. */
export interface Scenario {
  title: string;
  load: Load;
  /** How many devices there are before. */
  devices: number;
  /** What is measured. */
  subject: ContestantName;
  /**
   * What it is measured against, and the least ratio of CPU times that is wanted: above 1 the subject takes less.
   * 0 wants nothing.
   */
  against: { [name in ContestantName]?: number };
  /** Whether a quick run has it, too. */
  quick?: boolean;
}

const GET: Load = { name: 'get', clients: 32 };
const POST: Load = { name: 'post', clients: 64 };

/** In an order in which those that change the data come last. */
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
    against: { express: 15, fastify: 0 },
    quick: true,
  },
  {
    title: 'POST, durable, 64 clients',
    load: POST,
    devices: 10_000,
    subject: 'svcgen',
    against: { express: 7, fastify: 4, 'json-server': 0, sqlite: 0 },
    quick: true,
  },
  {
    title: 'POST with history and events',
    load: POST,
    devices: 10_000,
    subject: 'recorded',
    against: { express: 4, fastify: 0 },
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
