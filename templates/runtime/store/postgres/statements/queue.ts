import { setTimeout } from 'node:timers/promises';
import type { Command, Of } from '../../command';
import { type CommitLimits, GroupCommit } from '../../group-commit';
import { StoreBusy } from '../../retry-busy';
import type { SingleWrite, WriteResult } from '../../store';

/** The result of a command. `busy`: another transaction has locked its rows, and the command is applied again. */
export type Outcome = WriteResult | 'busy';

/** Pause before a busy command is applied again, in ms. */
const BUSY_PAUSE = 25;

/** Commands of one kind that are committed together. A busy one waits by itself, and holds up no other. */
export class PostgresQueue<C extends Command> {
  readonly #commits: GroupCommit<C, Outcome>;
  #closed = false;

  constructor(
    apply: (batch: C[]) => Promise<Outcome[]>,
    private readonly limits: CommitLimits,
  ) {
    this.#commits = new GroupCommit(apply, limits);
  }

  /** Resolves when the command is durable or in conflict, as `submit` of GroupCommit does. */
  async submit(command: C, since = performance.now()): Promise<WriteResult> {
    for (;;) {
      const outcome = await this.#commits.submit(command, since);
      if (outcome !== 'busy') return outcome;
      await setTimeout(BUSY_PAUSE);
      if (this.#closed || performance.now() >= since + this.limits.busyTimeoutMs)
        throw new StoreBusy('another transaction has locked what is written');
    }
  }

  /** Refuses new commands, and busy ones that wait to be applied again; resolves when the others are settled. */
  close(): Promise<void> {
    this.#closed = true;
    return this.#commits.close();
  }
}

/** The queues of writes of one resource, by their action. Creates with a key have a queue of their own. */
export interface WriteQueues {
  create: PostgresQueue<Of<'create'>>;
  keyedCreate: PostgresQueue<Of<'create'>>;
  update: PostgresQueue<Of<'update'>>;
  delete: PostgresQueue<Of<'delete'>>;
}

/** Makes a write in the queue of its action. */
export function submitWrite(queues: WriteQueues, write: SingleWrite, since?: number): Promise<WriteResult> {
  switch (write.action) {
    case 'create':
      return queues[write.keyed === undefined ? 'create' : 'keyedCreate'].submit(write, since);
    case 'update':
      return queues.update.submit(write, since);
    case 'delete':
      return queues.delete.submit(write, since);
  }
}
