import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { ServiceDefinition } from '../kind';
import type { Logger } from '../logger';
import type { Settings } from '../settings';
import type { DeadLetter, EventLog } from '../store/event-log';
import type { ResourceEvent } from './cloud-event';
import { Consumer, type ConsumerOptions, type DeliveryLimits } from './consumer';
import { PassingCursor, StoredCursor } from './cursor';
import { EventTail } from './event-tail';
import { KnownKinds } from './known-kinds';
import { LoggedEvent, matchesType } from './logged-event';
import { retain } from './retention';

/** How long handlers and controllers may take to end when the service stops, in milliseconds. */
const PATIENCE = 1_000;

/** Is told of an event. What it throws, or rejects with, has the event delivered again after a pause. */
export type EventHandler = (event: ResourceEvent) => void | Promise<void>;

/** What a subscriber may choose. */
export interface SubscribeOptions {
  /**
   * Makes the subscription durable: its position is stored under this name, so that it goes on there after a
   * restart. Of several processes with a subscription of this name one at a time delivers.
   */
  name?: string;
  /** Where a durable subscription begins when its name is new. */
  from?: 'now' | 'oldest';
}

/** A subscription in this process. */
export interface Subscription {
  /** Ends it. The position of a durable one is kept. */
  close(): Promise<void>;
}

/** A consumer as the service sets it up. */
export interface Consumption extends Pick<ConsumerOptions, 'matches' | 'deliver' | 'onBegin' | 'onGap'> {
  /** Under which its position is stored. Undefined: it starts now and is forgotten. */
  name: string | undefined;
  /** What logs and metrics call one without a name. */
  title?: string;
  /** Where it begins when its name is new. */
  from: 'now' | 'oldest';
  /** The version in which it is given resources, `v1` or `<group>/v1`; the storage version without one. */
  version?: string;
  /** Called when nothing more will be delivered. */
  close?(): void | Promise<void>;
}

interface Running {
  subscription: Subscription;
  consumer: Consumer;
  deliver: ConsumerOptions['deliver'];
}

/** The events of a service: who is told of what, in the background of the requests. */
export class ServiceEvents {
  readonly tail: EventTail;
  readonly kinds: KnownKinds;
  readonly #consumers = new Map<string, Running>();
  readonly #closing = new AbortController();

  constructor(
    private readonly definition: Pick<ServiceDefinition, 'events' | 'groups'>,
    readonly log: EventLog,
    readonly settings: Settings,
    private readonly logger: Logger,
  ) {
    this.tail = new EventTail(log, settings.EVENTS_POLL_MS);
    this.kinds = new KnownKinds(definition.groups);
    // One for each stream.
    setMaxListeners(0, this.#closing.signal);
    if (!definition.events) return;
    const { EVENTS_KEEP, EVENTS_KEEP_DAYS } = settings;
    void retain(log, { events: EVENTS_KEEP, days: EVENTS_KEEP_DAYS }, logger, this.#closing.signal);
  }

  /** Aborts when a stop has begun: streams to clients end. */
  get stopping(): AbortSignal {
    return this.#closing.signal;
  }

  /**
   * Calls a handler with every event whose type the pattern matches: a type, in which `*` stands for any text, such as
   * `io.svc.device.*`. At least once, those of one resource in order; a slow or failing handler holds up neither
   * requests nor other subscribers. An event that fails too often is given up and logged, and is a dead letter
   * where the subscription is durable. Throws an Error when the name is taken in this process, and where events
   * are off.
   */
  subscribe(pattern: string, handler: EventHandler, options: SubscribeOptions = {}): Subscription {
    const { name, from = 'now' } = options;
    return this.consume({
      name: name === undefined ? undefined : `subscriber:${name}`,
      from,
      matches: ({ type }) => matchesType(type, pattern),
      deliver: (event) => handler(event.parse()),
    });
  }

  /** Delivers events to a consumer until it is closed. Throws as `subscribe` does. */
  consume({
    name,
    title,
    from,
    version,
    matches,
    deliver,
    onBegin,
    onGap,
    close,
  }: Consumption): Subscription {
    if (!this.definition.events)
      throw new Error('there are no events: project.yaml does not say `events: true`');
    const key = name ?? this.#unused(title ?? 'unnamed');
    if (this.#consumers.has(key)) throw new Error(`${key} is subscribed already`);
    const { EVENTS_LEASE_MS: leaseMs } = this.settings;
    const deliverShown: ConsumerOptions['deliver'] = async (event, signal) =>
      deliver(await this.kinds.inVersion(event, version), signal);
    const consumer = new Consumer(this.tail, this.logger, {
      name: key,
      cursor:
        name === undefined
          ? new PassingCursor(this.log)
          : new StoredCursor(this.log, { consumer: name, from, leaseMs }),
      limits: deliveryLimits(this.settings),
      matches: (event) => (version === undefined || this.kinds.has(event.kind, version)) && matches(event),
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
   * Delivers a dead letter once more and forgets it. Throws what the consumer throws, and an Error when this process
   * has no such consumer.
   */
  async resend(letter: DeadLetter, signal: AbortSignal): Promise<void> {
    const running = this.#consumers.get(letter.consumer);
    if (running === undefined) throw new Error('there is no such consumer any more');
    await running.deliver(LoggedEvent.ofLetter(letter), signal);
    await this.log.unbury(letter.id);
  }

  /** How far each consumer is behind: the age of the oldest event that it has still to be given, in seconds. */
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

  /**
   * Ends every delivery and every controller; the store is still open. What does not end in time is left behind.
   */
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
    await this.log.bury(letter, this.settings.DEAD_LETTERS_KEEP);
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
