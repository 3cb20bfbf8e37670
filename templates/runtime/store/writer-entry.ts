import { parentPort, workerData } from 'node:worker_threads';
import { BatchWriter } from './batch-writer';
import type { Command } from './command';
import { DatabaseFile } from './database-check';
import { connect } from './sqlite-driver';
import { makeDurable } from './sqlite-setup';
import { messageOf, type ThreadAnswer, type ThreadData } from './thread-message';
import { isNext, WalIndex } from './wal-index';

/*
 * What runs in the thread of a WriterThread: a BatchWriter on the database that it is started with. Each message is a
 * batch and is answered by one; null closes the database and ends the thread.
 */

const { path, walIndex } = workerData as ThreadData;
const port = parentPort!;
const connection = connect(path);
makeDurable(connection, path);
const file = new DatabaseFile(path);
const index = new WalIndex(walIndex);
let before: string | undefined;
const writer = new BatchWriter(connection, () => {
  file.verify();
  // Nobody else can commit now.
  before = index.state();
});

port.on('message', (batch: Command[] | null) => {
  if (batch === null) {
    writer.close();
    connection.close();
    port.close();
    return;
  }
  port.postMessage(apply(batch));
});

function apply(batch: Command[]): ThreadAnswer {
  try {
    const { results } = writer.applyBatch(batch);
    const after = index.state();
    const isKnown = before !== undefined && after !== undefined && isNext(before, after);
    return { results, states: isKnown ? { before, after } : { before: undefined, after: undefined } };
  } catch (error) {
    return { error: messageOf(error) };
  }
}
