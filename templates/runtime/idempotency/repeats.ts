import type { OutgoingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';
import { KeyedMutex } from '../concurrency/keyed-mutex';
import { send } from '../http/responses/respond';
import { HttpProblem } from '../model/problem';
import type { CoreService } from '../service/service';
import type { KeyedResponse } from '../store/keyed-response';
import type { KeyedRequest } from './keyed-request';

/** A request and its response. */
interface Exchange {
  req: Request;
  res: Response;
  keyed?: KeyedRequest;
}

/** Headers that the routes set before a create, in addition to those of its response. */
const EARLY = ['Deprecation', 'Sunset', 'Warning', 'Link'];

/** Responds to repeated creates with the first response. */
export class Repeats {
  readonly #turns = new KeyedMutex();

  constructor(private readonly service: Pick<CoreService, 'store' | 'memory' | 'settings' | 'now'>) {}

  /**
   * Runs `create` unless the response to an earlier request with the same key is stored, which is sent then. Requests
   * with the same key wait for each other. Throws HttpProblem 422 for a key of another request, and the errors of
   * `create`.
   */
  once(exchange: Exchange & { keyed: KeyedRequest }, create: () => Promise<void>): Promise<void> {
    return this.#turns.run(exchange.keyed.id, async () => {
      if (await this.repeat(exchange)) return;
      try {
        await create();
      } catch (error) {
        // Another process may have created it meanwhile, which is why this one was refused.
        if (error instanceof HttpProblem && (await this.repeat(exchange))) return;
        throw error;
      }
    });
  }

  /** Returns the response to store with the create of a request, before it is sent. */
  storable({ res, keyed }: Exchange, headers: OutgoingHttpHeaders, text: string): KeyedResponse | undefined {
    if (keyed?.fingerprint === undefined) return undefined;
    const early = res
      .getHeaderNames()
      .flatMap((name) => EARLY.filter((header) => header.toLowerCase() === name));
    const all = { ...Object.fromEntries(early.map((name) => [name, res.getHeader(name)])), ...headers };
    const { id: key, fingerprint: request } = keyed;
    const expiresAt = this.service.now() + this.service.settings.IDEMPOTENCY_KEEP_MS;
    return { key, request, expiresAt, headers: JSON.stringify(all), text };
  }

  /**
   * Sends the stored response to an earlier request with the same key; returns false where there is none. Throws HttpProblem
   * 422 where the earlier request was another one.
   */
  async repeat(exchange: Exchange): Promise<boolean> {
    const { req, res, keyed } = exchange;
    if (keyed === undefined) return false;
    return this.service.memory.spend('response', res, {
      read: () => this.#find(keyed),
      cost: (stored) => (stored === undefined ? 0 : 2 * stored.text.length),
      action: (stored) => {
        if (stored === undefined) return false;
        if (stored.request !== keyed.fingerprint)
          throw new HttpProblem(
            422,
            'The Idempotency-Key was used for another request: the URL, the API version or the body differs.',
          );
        for (const name of EARLY) res.removeHeader(name);
        send(req, res, 201, JSON.parse(stored.headers) as OutgoingHttpHeaders, stored.text);
        return true;
      },
    });
  }

  /** Returns the stored response to a key. One that has expired is removed, so that the key is free. */
  async #find({ id }: KeyedRequest): Promise<KeyedResponse | undefined> {
    const { store } = this.service;
    const stored = await store.responses.find(id);
    const now = this.service.now();
    if (stored === undefined || stored.expiresAt > now) return stored;
    await store.responses.remove([id], now);
    return undefined;
  }
}
