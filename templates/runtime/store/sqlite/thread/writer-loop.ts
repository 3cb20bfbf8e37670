import { parentPort, workerData } from 'node:worker_threads';
import type { Command } from '../../command';
import { connect } from '../connection/driver';
import { OpenFiles } from '../file/open-files';
import { makeDurable } from '../file/setup';
import type { MakeWriter } from '../parts/sqlite-parts';
import { BatchWriter } from '../writes/batch-writer';
import { messageOf, type ThreadAnswer, type ThreadData, type ThreadMessage } from './writer-thread';

/**
 * Runs a BatchWriter on the database that a thread is started with: this file is the entry point of the thread. It reports
 * when the database is open. Then each batch gets one response; null closes the database and ends the thread.
 */
async function serveBatches(): Promise<void> {
  const { path, opened, modules } = workerData as ThreadData;
  const port = parentPort!;
  const parts: MakeWriter[] = [];
  for (const module of modules) parts.push(((await import(module)) as { writer: MakeWriter }).writer);
  const connection = connect(path);
  makeDurable(connection, path);
  const writer = new BatchWriter(connection, { files: new OpenFiles(opened), parts });

  port.postMessage('open' satisfies ThreadAnswer);
  port.on('message', (message: ThreadMessage) => {
    if (message === null) {
      writer.close();
      connection.close();
      port.close();
      return;
    }
    if ('declared' in message) writer.declare(message.declared);
    else port.postMessage(apply(writer, message));
  });
}

function apply(writer: BatchWriter, batch: readonly Command[]): ThreadAnswer {
  try {
    return writer.applyBatch(batch);
  } catch (error) {
    return { error: messageOf(error) };
  }
}

void serveBatches();
