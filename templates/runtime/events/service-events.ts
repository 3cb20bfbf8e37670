import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { CoreService } from '../service/service';
import type { Settings } from '../settings/settings';
import type { DeadLetter, EventLog } from '../store/events/event-log';
import { Consumer, type ConsumerOptions, type DeliveryLimits } from './delivery/consumer';
import { PassingCursor, StoredCursor } from './delivery/cursor';
import type { CloudEventsSdk, ResourceEvent } from './log/cloud-event';
import { EventTail } from './log/event-tail';
import { KnownKinds } from './log/known-kinds';
import { LoggedEvent, matchesType } from './log/logged-event';
import { OpenStreams } from './log/open-streams';
import { retain } from './log/retention';

/** Maximum run-ahead past failing events: of one consumer in bytes, and of all together as a part of the request memory. */
const AHEAD = { bytes: 8 * 1024 * 1024, part: 1 / 16 };

/** Time that handlers and controllers have to end when the service stops, in milliseconds. */
const PATIENCE = 1_000;

/** Handles an event, a `CloudEvent` of the SDK. If it throws or rejects, the event is delivered again after a pause. */
type EventHandler = (event: ResourceEvent) => void | Promise<void>;

/** Options of a subscription. */
interface SubscribeOptions {
  /**
   * Makes the subscription durable: its position is stored under this name, so that it continues there after a restart.
   * Several processes may have a subscription of this name; only one delivers at a time.
   */
  name?: string;
  /** The start of a durable subscription whose name is new. */
  from?: 'now' | 'oldest';
}

/** A subscription in this process. */
interface Subscription {
  /** Ends the subscription. The position of a durable one stays stored. */
  close(): Promise<void>;
}

/** A consumer as the service sets it up. */
interface Consumption extends Pick<ConsumerOptions, 'matches' | 'deliver' | 'onBegin' | 'onGap'> {
  /** The name its position is stored under. Undefined: it starts now and is forgotten. */
  name: string | undefined;
  /** The name of an unnamed consumer in logs and metrics. */
  title?: string;
  /** The start of a consumer whose name is new. */
  from: 'now' | 'oldest';
  /** The version of delivered resources, `v1` or `<group>/v1`; the storage version by default. */
  version?: string;
  /** Called when nothing more will be delivered. */
  close?(): void | Promise<void>;
}

interface Running {
  subscription: Subscription;
  consumer: Consumer;
  deliver: ConsumerOptions['deliver'];
}

/** The events of a service and their consumers, which run in the background of requests. */
export class ServiceEvents {
  readonly tail: EventTail;
  readonly streams: OpenStreams;
  readonly log: EventLog;
  readonly #kinds: KnownKinds;
  readonly #consumers = new Map<string, Running>();
  readonly #closing = new AbortController();

  constructor(
    private readonly service: CoreService,
    private readonly sdk: () => Promise<CloudEventsSdk>,
  ) {
    const { definition, store, settings, logger, memory, kinds } = service;
    // The generated service.ts gives every database its log.
    this.log = store.events!;
    this.tail = new EventTail(this.log, settings.EVENTS_POLL_MS, memory);
    this.#kinds = new KnownKinds(definition.groups, kinds);
    // Each stream adds a listener.
    setMaxListeners(0, this.#closing.signal);
    this.streams = new OpenStreams(settings, this.#closing.signal);
    const { EVENTS_KEEP, EVENTS_KEEP_DAYS } = settings;
    void retain(this.log, { events: EVENTS_KEEP, days: EVENTS_KEEP_DAYS }, logger, this.#closing.signal);
  }

  /** Aborts when the service begins to stop: streams to clients end. */
  get stopping(): AbortSignal {
    return this.#closing.signal;
  }

  /**
   * Calls a handler with every event whose type matches the pattern: a type in which `*` stands for any string, such as
   * `io.svc.device.*`. Delivery is at least once, in order for each resource. A slow or failing handler holds up
   * neither requests nor other subscribers. An event that fails too often is given up and logged; a durable
   * subscription stores it as a dead letter. Throws an Error when the name is taken in this process.
   */
  subscribe(pattern: string, handler: EventHandler, options: SubscribeOptions = {}): Subscription {
    const { name, from = 'now' } = options;
    return this.consume({
      name: name === undefined ? undefined : `subscriber:${name}`,
      from,
      matches: ({ type }) => matchesType(type, pattern),
      deliver: async (event) => handler((await this.sdk()).cloudEventOf(event.parse())),
    });
  }

  /** Delivers events to a consumer until it is closed. Throws as `subscribe` does. */
  consume(consumption: Consumption): Subscription {
    const { name, title, from, version, matches, deliver, onBegin, onGap, close } = consumption;
    const key = name ?? this.#unused(title ?? 'unnamed');
    if (this.#consumers.has(key)) throw new Error(`${key} is subscribed already`);
    const { settings, logger, memory } = this.service;
    const { EVENTS_LEASE_MS: leaseMs } = settings;
    const deliverShown: ConsumerOptions['deliver'] = async (event, signal) =>
      deliver(await this.#kinds.inVersion(event, version), signal);
    const consumer = new Consumer(this.tail, logger, {
      name: key,
      cursor:
        name === undefined
          ? new PassingCursor(this.log)
          : new StoredCursor(this.log, { consumer: name, from, leaseMs }),
      limits: deliveryLimits(settings),
      aheadBytes: () => Math.min(AHEAD.bytes, (memory.bytes * AHEAD.part) / this.#consumers.size),
      matches: (event) => (version === undefined || this.#kinds.has(event.kind, version)) && matches(event),
      deliver: deliverShown,
      onBegin,
      onGap,
      giveUp: (event, attempts, error) => this.#giveUp(name, event, attempts, error),
    });
    consumer.start();
    const subscription = {
      close: async () => {
        this.#consumers.delete(key);
        await consumer.close();
        await close?.();
      },
    };
    this.#consumers.set(key, { subscription, consumer, deliver: deliverShown });
    return subscription;
  }

  /**
   * Delivers a dead letter once more and deletes it. Throws what the consumer throws, and an Error when this process
   * has no such consumer.
   */
  async resend(letter: DeadLetter, signal: AbortSignal): Promise<void> {
    const running = this.#consumers.get(letter.consumer);
    if (running === undefined) throw new Error('the consumer no longer exists');
    await running.deliver(LoggedEvent.ofLetter(letter), signal);
    await this.log.unbury(letter.id);
  }

  /** Returns the lag of each consumer: the age of its oldest undelivered event, in seconds. */
  lags(): Map<string, number> {
    const now = Date.now();
    return new Map(
      [...this.#consumers].map(([name, { consumer }]) => [
        name,
        Math.max(0, now - (consumer.oldest ?? now)) / 1_000,
      ]),
    );
  }

  /** Ends the streams to clients at once. */
  stop(): void {
    this.#closing.abort(new Error('the service is stopping'));
  }

  /** Ends every delivery and every controller while the store is still open. Whatever does not end in time is abandoned. */
  async close(): Promise<void> {
    this.stop();
    const closed = Promise.all([...this.#consumers.values()].map(({ subscription }) => subscription.close()));
    await Promise.race([closed, setTimeout(PATIENCE, undefined, { ref: false })]);
    this.tail.close();
  }

  #unused(title: string): string {
    let key = title;
    for (let count = 2; this.#consumers.has(key); count++) key = `${title} ${count}`;
    return key;
  }

  async #giveUp(
    consumer: string | undefined,
    { position, kind, text, kept }: LoggedEvent,
    attempts: number,
    error: string,
  ): Promise<void> {
    if (consumer === undefined) return;
    const letter = { consumer, position, attempts, error: error.slice(0, 1_000), kind, text, kept };
    await this.log.bury(letter, this.service.settings.DEAD_LETTERS_KEEP);
  }
}

function deliveryLimits(settings: Settings): DeliveryLimits {
  return {
    concurrency: settings.EVENTS_CONCURRENCY,
    attempts: settings.EVENTS_MAX_ATTEMPTS,
    maxAgeMs: settings.EVENTS_MAX_AGE_HOURS * 3_600_000,
    firstMs: settings.EVENTS_RETRY_MS,
    maxMs: settings.EVENTS_MAX_RETRY_MS,
  };
}
