import type { Client } from 'pg';
import type { Notice } from '../../database';
import { StoreUnavailable } from '../../store';
import { BEGIN, DURABLE, PATIENTLY } from './durable';
import type { Identity } from './identity';

/** Key of the advisory lock under which a timeline is recorded. */
const LOCK = 0x73766369;

/** Number of acknowledged transactions that are remembered. */
const REMEMBERED = 64;

/**
 * Distance between the numbers of events of two timelines: no position that a lost event had is given again, so that its
 * readers learn that it is gone.
 */
const DISTANCE = 1_000_000;

/** A timeline of a database cluster. */
interface Timeline {
  system: string;
  timeline: number;
}

/** A server that may be written. */
type Primary = Identity & Timeline;

/** A connection to a primary, and the first statement of its transactions. */
interface Guarded {
  client: Client;
  guard: string;
}

/** An acknowledged transaction, and the timeline that it was committed on. */
interface Acknowledged {
  transaction: string;
  timeline: number;
}

/** The timeline that the services have last written on. */
const RECORDED = 'SELECT system, timeline FROM timelines ORDER BY number DESC LIMIT 1';

const RECORD = `INSERT INTO timelines (system, timeline, began) VALUES ($1, $2, pg_current_xact_id())`;

const LEAVE_A_GAP = `SELECT setval(sequence, nextval(sequence) + ${DISTANCE})
  FROM pg_get_serial_sequence('events', 'position') sequence`;

/** Those that have not been committed on this server, or whose number was given again on a later timeline. */
const FORGOTTEN = `SELECT count(*)::int AS count FROM unnest($1::xid8[], $2::int[]) AS t (transaction, timeline)
  WHERE CASE WHEN transaction < pg_snapshot_xmax(pg_current_snapshot())
        THEN pg_xact_status(transaction) = 'aborted' ELSE true END
     OR EXISTS (SELECT FROM timelines later WHERE later.system = $3 AND later.timeline > t.timeline
                AND later.began <= t.transaction)`;

const RECEIVED_UNTIL = 'SELECT pg_last_xact_replay_timestamp() AS "receivedUntil"';

/** Returns whether a server reports all that its fence needs, and takes writes. */
export function isPrimary(identity: Identity): identity is Primary {
  return identity.system !== undefined && identity.timeline !== undefined && !identity.isReadOnly;
}

/**
 * Keeps a store from a primary that was replaced, and notices what the new one does not have. It remembers the timeline
 * of the database, in the process and in the table `timelines`, and the last acknowledged transactions, in the process.
 */
export class Fence {
  /** Changes with the server: then what a process has read may be no more. */
  generation = 0;
  #known: Timeline | undefined;
  #acknowledged: Acknowledged[] = [];
  #entering: Promise<unknown> = Promise.resolve();

  constructor(private readonly onNotice: (notice: Notice) => void = () => undefined) {}

  /** The timeline of the database, as far as the process knows. */
  get timeline(): number | undefined {
    return this.#known?.timeline;
  }

  /** Remembers a transaction that a server has acknowledged. */
  acknowledge(transaction: string, timeline: number): void {
    if (this.#acknowledged.length === REMEMBERED) this.#acknowledged.shift();
    this.#acknowledged.push({ transaction, timeline });
  }

  /** Throws StoreUnavailable for a server of another database, and for one that was replaced. */
  refuse({ system, timeline }: Identity): void {
    if (this.#known === undefined || system === undefined) return;
    if (system !== this.#known.system) {
      throw new StoreUnavailable(
        `it is a server of another database (system ${system}, formerly ${this.#known.system}); restart the service to change over`,
      );
    }
    if (timeline !== undefined && timeline < this.#known.timeline)
      throw replaced(timeline, this.#known.timeline);
  }

  /**
   * Compares the server of a connection with what is known before anything is written there, and records its timeline.
   * Throws as `refuse` does.
   */
  async enter(line: Guarded, server: Primary, name: string): Promise<void> {
    const entering = this.#entering.then(() => this.#enter(line, server, name));
    this.#entering = entering.catch(() => undefined);
    return entering;
  }

  async #enter(line: Guarded, server: Primary, name: string): Promise<void> {
    this.refuse(server);
    const remembered = this.#acknowledged.length;
    const isNew = this.#known?.timeline !== server.timeline;
    if (!isNew && remembered === 0) return;
    const { client } = line;
    const forgotten = await this.#forgotten(client, server);
    if (!isNew && forgotten === 0) return;
    const former = await record(line, server, forgotten > 0);
    const before = this.#known?.timeline ?? former;
    this.#known = { system: server.system, timeline: server.timeline };
    if (before === undefined) return;
    this.generation += 1;
    this.#acknowledged = [];
    const { rows } = await client.query<{ receivedUntil: Date | null }>(RECEIVED_UNTIL);
    const receivedUntil = rows[0].receivedUntil?.toISOString();
    const { timeline } = server;
    this.onNotice(failoverNotice({ server: name, timeline, before, receivedUntil, remembered, forgotten }));
  }

  async #forgotten(client: Client, { system }: Primary): Promise<number> {
    if (this.#acknowledged.length === 0) return 0;
    const values = [
      this.#acknowledged.map(({ transaction }) => transaction),
      this.#acknowledged.map(({ timeline }) => timeline),
      system,
    ];
    return (await client.query<{ count: number }>(FORGOTTEN, values)).rows[0].count;
  }
}

/**
 * Records the timeline of a server. Returns the former one, where that is another or `isBroken`: what was written on this
 * one is not all there. Throws StoreUnavailable where a later timeline is recorded.
 */
async function record(
  { client, guard }: Guarded,
  server: Primary,
  isBroken: boolean,
): Promise<number | undefined> {
  try {
    await client.query(`${BEGIN}; ${guard}; ${PATIENTLY}; ${DURABLE}; SELECT pg_advisory_xact_lock(${LOCK})`);
    const [last] = (await client.query<Timeline>(RECORDED)).rows as (Timeline | undefined)[];
    const former = last?.system === server.system ? last.timeline : undefined;
    if (former !== undefined && former > server.timeline) throw replaced(server.timeline, former);
    const isOther = former !== server.timeline;
    if (isOther || isBroken) await client.query(RECORD, [server.system, server.timeline]);
    if (former !== undefined && (isOther || isBroken)) await client.query(LEAVE_A_GAP);
    await client.query('COMMIT');
    return isOther || isBroken ? former : undefined;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

const replaced = (timeline: number, later: number): StoreUnavailable =>
  new StoreUnavailable(
    `it was replaced: it is a primary of timeline ${timeline}, and the database has moved to ${later}. Stop it, and make it a standby of the new primary`,
  );

/** A change of the server that a database is on: a promotion, or a restore. */
interface Failover {
  /** The server that is the primary now. */
  server: string;
  /** The timeline of the database now, and that of the former server. */
  timeline: number;
  before: number;
  /** The time of the last transaction that the server received before its promotion, where it knows one. */
  receivedUntil?: string;
  /** Number of the last acknowledged transactions of this process, and how many of them the server does not have. */
  remembered: number;
  forgotten: number;
}

/** Says that another server of the database has taken over, and what is known about acknowledged writes. */
function failoverNotice(failover: Failover): Notice {
  const { forgotten, remembered } = failover;
  const lost = `the database has lost acknowledged writes: of the last ${remembered} transactions of this process, the server that is the primary now does not have ${forgotten}. Use synchronous standbys to prevent it`;
  const complete = `another server of the database is the primary now; it has the last ${remembered} transactions of this process`;
  const unknown =
    'another server of the database is the primary now, or a backup was restored. This process cannot tell whether acknowledged writes are missing: with a synchronous standby none are, otherwise those after receivedUntil';
  return forgotten > 0
    ? { level: 'error', text: lost, facts: failover }
    : { level: 'warn', text: remembered > 0 ? complete : unknown, facts: failover };
}
