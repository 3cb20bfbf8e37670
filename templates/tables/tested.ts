import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { ServiceDefinition } from '../runtime/kind';
import { mount, type MountedKind } from '../runtime/mount';
import type { Resource } from '../runtime/resource';
import { createTypedServer } from '../runtime/server';
import { openService, type Service } from '../runtime/service';
import { readSettings } from '../runtime/settings';
import { Description, type Answer, type OpenApi } from './described';
import { Exchange } from './exchange';

/** A service as it is tested. */
export interface Subject {
  definition: ServiceDefinition;
  document: OpenApi;
  kinds: MountedKind[];
}

/** What a request carries; a body that is no text is sent as JSON. */
export interface Sent {
  headers?: { [name: string]: string };
  body?: unknown;
}

/**
 * The generated code under test, over HTTP, on a database in memory: the user's middleware, checks and policies are left
 * out, and fields are validated strictly, whatever project.yaml says. Every answer is held against the OpenAPI document.
 */
export class TestedService {
  readonly description: Description;
  /** Once it is started. */
  service!: Service;
  private server!: Server;
  private exchange!: Exchange;

  constructor(readonly subject: Subject) {
    this.description = new Description(subject.document);
  }

  /** Starts it before the tests of a file and stops it after them. */
  forAllTests(): this {
    // A test is not to fail because the machine is busy.
    jest.setTimeout(60_000);
    beforeAll(() => this.start());
    afterAll(() => this.stop());
    return this;
  }

  private async start(): Promise<void> {
    const { definition, document, kinds } = this.subject;
    const settings = readSettings({ DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent' });
    this.service = await openService({ ...definition, validation: 'strict' }, settings);
    const app = express();
    mount(app, this.service, kinds.map(withoutHooks), () => document);
    this.server = createTypedServer(app, settings).listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.exchange = new Exchange((this.server.address() as AddressInfo).port);
  }

  private async stop(): Promise<void> {
    this.exchange.close();
    this.server.close();
    await this.service.close();
  }

  /** Sends a request; where the service requires If-Match and the request has none, with `If-Match: *`. */
  send(method: string, url: string, { headers = {}, body }: Sent = {}): Promise<Answer> {
    const required = this.subject.definition.requireIfMatch && ['PUT', 'PATCH', 'DELETE'].includes(method);
    return this.sendAsIs(method, url, {
      headers: { ...(required && { 'If-Match': '*' }), ...headers },
      body,
    });
  }

  /** Sends a request with no header but those given; a body is JSON unless they say otherwise. */
  async sendAsIs(method: string, url: string, { headers = {}, body }: Sent): Promise<Answer> {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const type: Sent['headers'] = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const asked = { method, path: url, headers: { ...type, ...headers }, body: text };
    const answer = await this.exchange.send(asked);
    this.description.check(method, url, answer, headers['Accept']);
    return answer;
  }

  /** Sends a request that succeeds with this status, and returns the resource of its answer. */
  async resource(status: number, method: string, url: string, sent?: Sent): Promise<Resource> {
    const answer = await this.send(method, url, sent);
    expect([answer.status, answer.text]).toEqual([status, answer.text]);
    return JSON.parse(answer.text) as Resource;
  }
}

function withoutHooks({ kind, routes }: MountedKind): MountedKind {
  return { kind: { ...kind, hooks: { ...kind.hooks, validate: undefined, policy: undefined } }, routes };
}
