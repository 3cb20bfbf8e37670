import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node';
import { traceHeader } from '../log/cloud-event';
import type { LoggedEvent } from '../log/logged-event';
import type { EventSink } from '../sinks';

/** Publishes all events to NATS, where `NATS_URL` names its servers. */
export const natsSink: EventSink = ({ NATS_URL: url, NATS_STREAM: stream }, logger) => {
  if (url === '') return undefined;
  const nats = new NatsSink({ url, stream });
  return (events) => {
    events.consume({
      name: 'nats',
      from: 'now',
      matches: () => true,
      deliver: (event) => nats.deliver(event),
      close: () => nats.close(),
    });
    logger.info({ stream }, 'events are sent to NATS');
  };
};

/** The destination of events. */
interface NatsOptions {
  /** `nats://user:password@host:4222`, `tls://…`; several servers of one cluster are separated by commas. */
  url: string;
  /** Name of the stream, which is created for all subjects `io.svc.>` where it does not exist. */
  stream: string;
}

/** Time for which JetStream remembers message ids, in nanoseconds. */
const DUPLICATE_WINDOW = 10 * 60 * 1e9;
/** JetStream's error codes for a missing stream, and for subjects that another stream has. */
const STREAM_NOT_FOUND = 10059;
const SUBJECTS_OVERLAP = 10065;

/**
 * Publishes events to NATS JetStream: the subject is the type, the message id that of the event, so that the stream
 * drops duplicates. It connects on first use.
 */
class NatsSink {
  readonly #options: ConnectionOptions;
  #connecting: Promise<NatsConnection> | undefined;
  /** Resolves when the stream is known to exist. */
  #stream: Promise<void> | undefined;

  /** Throws an Error for an invalid URL. */
  constructor(private readonly options: NatsOptions) {
    this.#options = { ...connectionOptions(options.url), maxReconnectAttempts: -1 };
  }

  /** Publishes one event; resolves when the stream has it. */
  async deliver(event: LoggedEvent): Promise<void> {
    this.#connecting ??= this.#connect();
    const connection = await this.#connecting.catch((error: unknown) => {
      this.#connecting = undefined;
      throw error;
    });
    if (connection.isClosed()) {
      this.#connecting = undefined;
      throw new Error('the connection to NATS is closed');
    }
    try {
      await (this.#stream ??= ensureStream(connection, this.options.stream));
      await publish(connection, event);
    } catch (error) {
      // The server may have lost the stream, as after a new installation.
      this.#stream = undefined;
      throw error;
    }
  }

  /** Closes the connection. */
  close(): void {
    // An unresponsive server must not hold up the stop of the service.
    this.#connecting?.then((connection) => connection.close()).catch(() => undefined);
  }

  async #connect(): Promise<NatsConnection> {
    const { connect } = await import('@nats-io/transport-node');
    return connect(this.#options);
  }
}

async function publish(connection: NatsConnection, event: LoggedEvent): Promise<void> {
  const { headers } = await import('@nats-io/transport-node');
  const { jetstream } = await import('@nats-io/jetstream');
  const header = headers();
  header.set('Content-Type', 'application/cloudevents+json');
  const { id, traceparent } = event.parse();
  for (const [name, value] of Object.entries(traceHeader(traceparent))) header.set(name, value);
  await jetstream(connection).publish(event.type, event.text, { msgID: id, headers: header });
}

/**
 * Returns the servers of a NATS_URL and its credentials: a user with a password, or a token alone. Throws an Error for
 * an invalid URL, without the URL, which may hold a password.
 */
export function connectionOptions(url: string): ConnectionOptions {
  const parts = url.split(',').map((part) => part.trim());
  if (!parts.every((part) => /^(nats|tls):\/\/./.test(part) && URL.canParse(part))) {
    throw new Error('NATS_URL must be nats://… or tls://…, or several of them separated by commas');
  }
  const urls = parts.map((part) => new URL(part));
  const servers = {
    servers: urls.map(({ protocol, host }) => `${protocol}//${host}`),
    // The client does not look at the protocol: without this, a server without TLS would get the password.
    ...(urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
  };
  const [{ username, password }] = urls;
  const [user, pass] = [decoded(username), decoded(password)];
  if (user === '') return servers;
  return pass === '' ? { ...servers, token: user } : { ...servers, user, pass };
}

/** Decodes the percent-encoding of a user or a password. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('NATS_URL must be percent-encoded: a % in its user or password is written %25');
  }
}

async function ensureStream(connection: NatsConnection, name: string): Promise<void> {
  const { jetstreamManager } = await import('@nats-io/jetstream');
  const { streams } = await jetstreamManager(connection);
  try {
    await streams.info(name);
  } catch (error) {
    if (codeOf(error) !== STREAM_NOT_FOUND) throw error;
    await streams
      .add({ name, subjects: ['io.svc.>'], duplicate_window: DUPLICATE_WINDOW })
      .catch((refusal: unknown) => {
        // Events on another stream's subjects are stored there.
        if (codeOf(refusal) !== SUBJECTS_OVERLAP) throw refusal;
      });
  }
}

function codeOf(error: unknown): unknown {
  return (Object(error) as { code?: unknown }).code;
}
