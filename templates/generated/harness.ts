import type { Server } from 'node:http';
import express from 'express';
import request, { type Response } from 'supertest';
import { kinds } from '../../src/generated/routes';
import { mount } from '../../src/generated/runtime/mount';
import { createTypedServer } from '../../src/generated/runtime/server';
import type { Failure } from '../../src/generated/runtime/problem';
import { openService, type Service } from '../../src/generated/runtime/service';
import { readSettings } from '../../src/generated/runtime/settings';
import { service as definition } from '../../src/generated/service';

/** A kind in one version: where its resources are, and a spec and a status that keep every rule. */
export interface Example {
  url: string;
  spec: object;
  status: object;
}

/** One request and the status of its answer; `{uid}` and `{versionId}` stand for those of a new resource. */
export type Row = [method: string, url: string, body: unknown, status: number];

/** A field, a value that breaks one of its rules, and that rule. */
export type Broken = [pointer: string, value: unknown, rule: string];

let service: Service;
let server: Server;

// The generated code is under test, not yours: your middleware, checks and policies are left out, and fields are
// validated strictly, whatever project.yaml says.
beforeAll(async () => {
  const settings = readSettings({ DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent' });
  service = await openService({ ...definition, validation: 'strict', requireIfMatch: false }, settings);
  const app = express();
  mount(app, service, kinds.map(withoutHooks), {});
  server = createTypedServer(app, settings).listen(0, '127.0.0.1');
});

afterAll(async () => {
  server.close();
  await service.close();
});

function withoutHooks({ kind, routes }: (typeof kinds)[number]): (typeof kinds)[number] {
  return { kind: { ...kind, hooks: { ...kind.hooks, validate: undefined, policy: undefined } }, routes };
}

/** Each row of the table is a test. */
export function checkRoutes(example: Example, rows: Row[]): void {
  for (const [method, url, body, status] of rows) {
    test(`${method} ${url} ${JSON.stringify(body) ?? ''}: ${status}`, async () => {
      const answer = await send(method, await expand(url, example), body);
      expect(answer.status).toBe(status);
    });
  }
}

/** Each value, put into the spec of a new resource, is refused for the rule that it breaks. */
export function checkSpec({ url, spec }: Example, table: Broken[]): void {
  for (const [pointer, value, rule] of table) {
    test(`spec${pointer} breaks ${rule}`, async () => {
      const answer = await send('POST', url, { spec: changed(spec, pointer, value) });
      expectFailure(answer, `#/spec${pointer}`, rule);
    });
  }
}

/** Each value, put into the status of a resource, is refused for the rule that it breaks. */
export function checkStatus(example: Example, table: Broken[]): void {
  for (const [pointer, value, rule] of table) {
    test(`status${pointer} breaks ${rule}`, async () => {
      const url = await expand(`${example.url}/{uid}/status`, example);
      const answer = await send('PUT', url, { status: changed(example.status, pointer, value) });
      expectFailure(answer, `#/status${pointer}`, rule);
    });
  }
}

function expectFailure({ status, body }: Response, pointer: string, rule: string): void {
  expect(status).toBe(400);
  const failures = (body as { errors: Failure[] }).errors.map(
    (failure) => `${failure.pointer} ${failure.rule}`,
  );
  // A key that is repeated is named where it stands.
  const place =
    rule === 'key' ? failures.map((failure) => failure.replace(/\/\d+\/[^/]+ key$/, ' key')) : failures;
  expect(place).toContain(`${pointer} ${rule}`);
}

function send(method: string, url: string, body: unknown): Promise<Response> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const call = request(server)[method.toLowerCase() as 'get'](url);
  return body === undefined ? call : call.set('Content-Type', type).send(JSON.stringify(body));
}

/** The URL of a resource made from the example, where the URL names one. */
async function expand(url: string, { url: collection, spec }: Example): Promise<string> {
  if (!url.includes('{')) return url;
  const { status, body } = await send('POST', collection, { spec });
  expect(status).toBe(201);
  const { metadata, status: observed } = body as { metadata: { uid: string }; status?: { version?: string } };
  return url.replace('{uid}', metadata.uid).replace('{versionId}', observed?.version ?? '');
}

/** A copy of the object with another value at the pointer; undefined removes it. */
function changed(object: object, pointer: string, value: unknown): object {
  const copy = structuredClone(object);
  const path = pointer.split('/').slice(1);
  const last = path.pop()!;
  const parent = path.reduce((at, part) => (at as { [key: string]: object })[part]!, copy);
  (parent as { [key: string]: unknown })[last] = value;
  return copy;
}
