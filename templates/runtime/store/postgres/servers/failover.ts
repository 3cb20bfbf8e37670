import type { Notice } from '../../database';

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
export function failoverNotice(failover: Failover): Notice {
  const { forgotten, remembered } = failover;
  const lost = `the database has lost acknowledged writes: of the last ${remembered} transactions of this process, the server that is the primary now does not have ${forgotten}. Use synchronous standbys to prevent it`;
  const complete = `another server of the database is the primary now; it has the last ${remembered} transactions of this process`;
  const unknown =
    'another server of the database is the primary now, or a backup was restored. This process cannot tell whether acknowledged writes are missing: with a synchronous standby none are, otherwise those after receivedUntil';
  return forgotten > 0
    ? { level: 'error', text: lost, facts: failover }
    : { level: 'warn', text: remembered > 0 ? complete : unknown, facts: failover };
}
