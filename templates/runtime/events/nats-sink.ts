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
 * Publishes events to NATS JetStream: the subject is the type, the message id that of the event, so that the stream drops what
 * is delivered twice. It connects when it is first needed.
 */
export class NatsSink {
  #connecting: Promise<Connected> | undefined;

  constructor(private readonly options: NatsOptions) {}

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
  async close(): Promise<void> {
    const connected = await this.#connecting?.catch(() => undefined);
    await connected?.connection.close();
  }

  async #connect(): Promise<Connected> {
    const { connect } = await import('@nats-io/transport-node');
    const { jetstream, jetstreamManager } = await import('@nats-io/jetstream');
    const connection = await connect({ ...connectionOptions(this.options.url), maxReconnectAttempts: -1 });
    try {
      await ensureStream(await jetstreamManager(connection), this.options.stream);
    } catch (error) {
      await connection.close();
      throw error;
    }
    return { connection, jetstream: jetstream(connection) };
  }
}

/** The servers of a NATS_URL and who connects to them: a user with a password, or a token alone. */
export function connectionOptions(url: string): ConnectionOptions {
  const urls = url.split(',').map((part) => new URL(part.trim()));
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
