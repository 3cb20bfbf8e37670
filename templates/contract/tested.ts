import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { observerOf } from '../runtime/http/observer';
import { setIdentified } from '../runtime/http/security/actor';
import { createTypedServer } from '../runtime/http/server';
import type { Resource } from '../runtime/model/resource';
import { mount, type MountedKind } from '../runtime/mount';
import { openService } from '../runtime/open-service';
import type { ServiceDefinition } from '../runtime/service/definition';
import type { Service } from '../runtime/service/service';
import { readSettings, type Settings } from '../runtime/settings/settings';
import { type Answer, Description, type OpenApi } from './described';
import { Exchange } from './exchange';

const HOUR = '3600000';
/** The service waits longer for its clients than any machine takes. */
const PATIENCE = {
  HEADERS_TIMEOUT_MS: HOUR,
  REQUEST_TIMEOUT_MS: HOUR,
  STALL_TIMEOUT_MS: HOUR,
  KEEP_ALIVE_TIMEOUT_MS: HOUR,
};

/** A database that the tests of a file have for themselves. */
export interface TestDatabase {
  /** As for `DATABASE_URL`. */
  url: string;
  /** Makes it, before the tests. */
  make(): Promise<void>;
  /** Removes it, after them. */
  drop(): Promise<void>;
}

/** A service under test. */
export interface Subject {
  definition: ServiceDefinition;
  database: TestDatabase;
  document: OpenApi;
  kinds: MountedKind[];
}

/** Headers and body of a request; a body that is no string is sent as JSON. */
export interface Sent {
  headers?: { [name: string]: string };
  body?: unknown;
}

/**
 * The generated code under test, over HTTP, on a database of its own. The user's middleware, checks and policies are
 * left out, and fields are validated strictly, whatever project.yaml says. Every response is checked against the
 * OpenAPI document.
 */
export class TestedService {
  readonly description: Description;
  /** Set once it is started. */
  service!: Service;
  private server?: Server;
  private exchange?: Exchange;

  constructor(readonly subject: Subject) {
    this.description = new Description(subject.document);
  }

  /** Starts it before the tests of a file and stops it after them. */
  forAllTests(): this {
    // A busy machine must not fail a test.
    jest.setTimeout(60_000);
    beforeAll(() => this.start());
    afterAll(() => this.stop());
    return this;
  }

  private async start(): Promise<void> {
    const { definition, document, kinds } = this.subject;
    const { settings } = this;
    await this.subject.database.make();
    this.service = await openService({ ...definition, validation: 'strict' }, settings);
    const app = express();
    app.use(identifying);
    mount(app, this.service, kinds.map(withoutHooks), () => document);
    this.server = createTypedServer(app, settings, observerOf(this.service)).listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.exchange = new Exchange((this.server.address() as AddressInfo).port);
  }

  private async stop(): Promise<void> {
    this.exchange?.close();
    this.server?.close();
    await this.service?.close();
    await this.subject.database.drop();
  }

  /** Sends a request; where the service requires If-Match and the request has no condition, with `If-Match: *`. */
  send(method: string, url: string, { headers = {}, body }: Sent = {}): Promise<Answer> {
    const isConditional = 'If-None-Match' in headers || !['PUT', 'PATCH', 'DELETE'].includes(method);
    const required = this.subject.definition.requireIfMatch && !isConditional;
    return this.sendAsIs(method, url, {
      headers: { ...(required && { 'If-Match': '*' }), ...headers },
      body,
    });
  }

  /** Sends a request with only the given headers; a body is JSON unless they say otherwise. */
  async sendAsIs(method: string, url: string, { headers = {}, body }: Sent): Promise<Answer> {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const type: Sent['headers'] = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const asked = { method, path: url, headers: { ...type, ...headers }, body: text };
    const response = await this.exchange!.send(asked);
    this.description.check(method, url, response, headers['Accept']);
    return response;
  }

  /** Reads an endless response, such as a stream of events, until its text is enough; then disconnects. */
  readUntil(path: string, isEnough: (text: string) => boolean): Promise<string> {
    return this.exchange!.readUntil(path, isEnough);
  }

  /** The settings of the service, also before it is started. */
  get settings(): Settings {
    return readSettings({ DATABASE_URL: this.subject.database.url, LOG_LEVEL: 'silent', ...PATIENCE });
  }

  /** Sends a request that succeeds with this status, and returns the resource of its response. */
  async resource(status: number, method: string, url: string, sent?: Sent): Promise<Resource> {
    const response = await this.send(method, url, sent);
    expect([response.status, response.text]).toEqual([status, response.text]);
    return JSON.parse(response.text) as Resource;
  }
}

/** Header of a request from a caller whom no middleware has identified. */
export const UNIDENTIFIED = { 'X-Unidentified': 'yes' };

/** Stands for the user's middleware: where the service declares `security`, requests must be identified. */
const identifying: RequestHandler = (req, _res, next) => {
  if (req.headers['x-unidentified'] === undefined) setIdentified(req);
  next();
};

function withoutHooks({ kind, routes }: MountedKind): MountedKind {
  return { kind: { ...kind, hooks: { ...kind.hooks, validate: undefined, policy: undefined } }, routes };
}
