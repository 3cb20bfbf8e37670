import type { Client } from 'pg';
import type { Command } from '../command';
import { type Database, type DatabaseParts } from '../database';
import type { CommitLimits } from '../group-commit';
import {
  type Listed,
  type ListQuery,
  NOBODY,
  type Store,
  type StoredResource,
  type StoreParts,
} from '../store';
import type { PostgresServers } from './servers/servers';
import type { PostgresConnections, PostgresQuery } from './statements/connections';
import type { PostgresKinds } from './statements/kinds';
import type { CommonLabels } from './statements/labels';
import type { Outcome, PostgresQueue } from './statements/queue';

/** The parts of PostgreSQL databases. */
export type PostgresParts = DatabaseParts<PostgresPart>;

/** The same parts, loaded when they are needed: a service on SQLite does without them. */
export type PartLoaders = DatabaseParts<PartLoader>;

/** Loads a part. */
export interface PartLoader {
  load(): Promise<PostgresPart>;
  /** Members that the part adds to the kind of database. */
  database?: Partial<Database>;
}

/** A part of PostgreSQL databases. */
interface PostgresPart {
  /** Prepares a database, in the transaction that brings its schema up to date. */
  begin?(client: Client): Promise<void>;
  open(store: OpenedStore): OpenPart;
}

/** A part of an open store. */
export interface OpenPart {
  /** Members that it adds to the store. */
  adds: StoreParts;
  /** Lists and writes of resources with entries. */
  indexed?: IndexedStore;
  close?(): Promise<void>;
}

/** Applies commands, those of a batch in one transaction. */
export interface BatchApplier<C> {
  apply(batch: readonly C[]): Promise<Outcome[]>;
}

/** The parts of an open store that others are built on. */
export interface OpenedStore {
  servers: PostgresServers;
  reads: PostgresConnections;
  writes: PostgresConnections;
  kinds: PostgresKinds;
  labels: CommonLabels;
  /** Repeats an action that other transactions hinder, as long as a write may wait for a lock. */
  patiently<T>(action: () => Promise<T>): Promise<T>;
  /** Makes the queue of a writer. */
  group<C extends Command>(writer: BatchApplier<C>, limits?: Partial<CommitLimits>): PostgresQueue<C>;
  /** Calls back after each commit of queued commands. */
  onCommit(listener: (batch: readonly Command[]) => void): void;
}

/**
 * Makes all entries of indexes count as outdated: what writes resources without indexes, and not their entries, runs it
 * before.
 */
export const INVALIDATE_INDEXES: PostgresQuery = {
  text: "UPDATE index_states SET digest = '' WHERE digest <> ''",
  values: [],
};

/** Makes the log of events count as incomplete: a service without events is about to write resources and no events. */
export const INVALIDATE_LOG: PostgresQuery = {
  text: `INSERT INTO cursors (consumer, transaction, position, owner, held_until)
    VALUES ($1, '0', 0, '', '-infinity') ON CONFLICT DO NOTHING`,
  values: [NOBODY],
};

/** Lists and writes of resources with entries. */
export interface IndexedStore {
  lists: {
    /** Returns whether a list is selected or sorted by fields. */
    selects(query: ListQuery): boolean;
    /** Returns a page of such a list. */
    page(kind: number, query: ListQuery): Promise<Listed<StoredResource>[]>;
  };
  /** Also writes of several resources at once. */
  writes: Pick<Store, 'write' | 'judge'>;
}
