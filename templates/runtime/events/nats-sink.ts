import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node';
import type { LoggedEvent } from './logged-event';

/** Where events go. */
export interface NatsOptions {
  /** `nats://user:password@host:4222`, `tls://…`; several servers of one cluster are separated by commas. */
  url: string;
  /** The stream, made for all subjects `io.svc.>` where there is none of this name. */
  stream: string;
}

/** JetStream forgets which ids it had after this time, in nanoseconds. */
const DUPLICATE_WINDOW = 10 * 60 * 1e9;
/** Codes of JetStream: there is no such stream; another stream has its subjects. */
const STREAM_NOT_FOUND = 10059;
const SUBJECTS_OVERLAP = 10065;

interface Connected {
  connection: NatsConnection;
  jetstream: JetStreamClient;
}

/**
 * Publishes events to NATS JetStream: the subject is the type, the message id that of the event, so that the
 * stream drops what is delivered twice. It connects when it is first needed.
 */
export class NatsSink {
  readonly #options: ConnectionOptions;
  #connecting: Promise<Connected> | undefined;

  /** Throws an Error for a URL that is none. */
  constructor(private readonly options: NatsOptions) {
    this.#options = { ...connectionOptions(options.url), maxReconnectAttempts: -1 };
  }

  /** Publishes one event; resolves when the stream has it. */
  async deliver(event: LoggedEvent): Promise<void> {
    this.#connecting ??= this.#connect();
    const { connection, jetstream } = await this.#connecting.catch((error: unknown) => {
      this.#connecting = undefined;
      throw error;
    });
    if (connection.isClosed()) {
      this.#connecting = undefined;
      throw new Error('the connection to NATS is closed');
    }
    const { headers } = await import('@nats-io/transport-node');
    const header = headers();
    header.set('Content-Type', 'application/cloudevents+json');
    await jetstream.publish(event.type, event.text, { msgID: event.parse().id, headers: header });
  }

  /** Closes the connection. */
  close(): void {
    // A server that does not answer must not hold up the stop of the service.
    this.#connecting?.then(({ connection }) => connection.close()).catch(() => undefined);
  }

  async #connect(): Promise<Connected> {
    const { connect } = await import('@nats-io/transport-node');
    const { jetstream, jetstreamManager } = await import('@nats-io/jetstream');
    const connection = await connect(this.#options);
    try {
      await ensureStream(await jetstreamManager(connection), this.options.stream);
    } catch (error) {
      await connection.close();
      throw error;
    }
    return { connection, jetstream: jetstream(connection) };
  }
}

/**
 * The servers of a NATS_URL and who connects to them: a user with a password, or a token alone.
 * Throws an Error for a URL that is none; it does not tell the URL, which may hold a password.
 */
export function connectionOptions(url: string): ConnectionOptions {
  const parts = url.split(',').map((part) => part.trim());
  if (!parts.every((part) => /^(nats|tls):\/\/./.test(part) && URL.canParse(part))) {
    throw new Error('NATS_URL must be nats://… or tls://…, or several of them separated by commas');
  }
  const urls = parts.map((part) => new URL(part));
  const servers = urls.map(({ protocol, host }) => `${protocol}//${host}`);
  const [{ username, password }] = urls;
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  if (user === '') return { servers };
  return pass === '' ? { servers, token: user } : { servers, user, pass };
}

async function ensureStream({ streams }: JetStreamManager, name: string): Promise<void> {
  try {
    await streams.info(name);
  } catch (error) {
    if (codeOf(error) !== STREAM_NOT_FOUND) throw error;
    await streams
      .add({ name, subjects: ['io.svc.>'], duplicate_window: DUPLICATE_WINDOW })
      .catch((refusal: unknown) => {
        // What another stream has is stored there.
        if (codeOf(refusal) !== SUBJECTS_OVERLAP) throw refusal;
      });
  }
}

function codeOf(error: unknown): unknown {
  return (Object(error) as { code?: unknown }).code;
}
