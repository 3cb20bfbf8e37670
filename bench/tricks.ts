import type { Scenario } from './scenarios';
import type { Load } from './wrk';

/** The least gain of an optimisation that a reader of the code must know. */
const WORTH = 1.05;
const DEVICES = 10_000;

const GET: Load = { name: 'get', clients: 32 };
const POST: Load = { name: 'post', clients: 64 };
const ACCEPT = 'application/json;version=v1, application/json;q=0.5';

/**
 * Each optimisation alone: the service as it is next to the same with one switched off. The results are in
 * docs/performance.md, "What each optimisation gains".
 */
export const TRICKS: Scenario[] = [
  {
    title: 'GET by uid',
    load: GET,
    devices: DEVICES,
    subject: 'svcgen',
    against: {
      'without-rows': WORTH,
      'without-direct-routes': WORTH,
      'without-typed-prototypes': WORTH,
    },
  },
  {
    title: 'GET by uid, a version in Accept',
    load: { ...GET, accept: ACCEPT },
    devices: DEVICES,
    subject: 'svcgen',
    against: { 'without-accept-cache': WORTH },
  },
  {
    title: 'GET, three middlewares in front',
    load: GET,
    devices: DEVICES,
    subject: 'middlewares',
    against: { 'middlewares-without-direct-routes': WORTH },
  },
  {
    title: 'Nine GETs and a POST',
    load: { name: 'mixed', clients: 64 },
    devices: DEVICES,
    subject: 'svcgen',
    against: { 'without-wal-index': WORTH, 'without-rows': WORTH, 'one-thread': WORTH },
  },
  {
    title: 'List of 100',
    load: { name: 'path', path: '/devices?limit=100', clients: 32 },
    devices: DEVICES,
    subject: 'svcgen',
    against: { 'without-joined-lists': WORTH, 'without-repeated-lists': WORTH },
  },
  {
    title: 'Nine lists of 100 and a POST',
    load: { name: 'lists', path: '/devices?limit=100', clients: 32 },
    devices: DEVICES,
    subject: 'svcgen',
    against: { 'without-joined-lists': WORTH, 'without-repeated-lists': 1 },
  },
  {
    title: 'List of 100 that has not changed, with its ETag',
    load: { name: 'poll', path: '/devices?limit=100', clients: 32 },
    devices: DEVICES,
    subject: 'svcgen',
    against: { 'without-list-states': WORTH },
  },
  {
    title: 'PATCH with If-Match',
    load: { name: 'patch', clients: 64 },
    devices: DEVICES,
    subject: 'svcgen',
    against: {
      'without-rows': WORTH,
      'without-remembered-rows': WORTH,
      'one-thread': WORTH,
    },
  },
  {
    title: 'POST',
    load: POST,
    devices: DEVICES,
    subject: 'svcgen',
    against: {
      'without-long-log': WORTH,
      'one-thread': WORTH,
    },
  },
  {
    title: 'POST, a sync takes 2 ms more',
    load: POST,
    devices: DEVICES,
    syncMs: 2,
    subject: 'svcgen',
    against: { 'without-gathering': WORTH, 'one-thread': WORTH },
  },
];
