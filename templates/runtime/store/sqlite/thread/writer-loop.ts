import { parentPort, workerData } from 'node:worker_threads';
import type { Command } from '../../command';
import { connect } from '../connection/driver';
import { OpenFiles } from '../file/open-files';
import { makeDurable } from '../file/setup';
import type { PartWriters } from '../parts/sqlite-parts';
import { BatchWriter } from '../writes/batch-writer';
import { messageOf, type ThreadAnswer, type ThreadData, type ThreadMessage } from './thread-message';

/**
 * Runs a BatchWriter on the database that a thread is started with: this file is the entry point of the thread. It reports
 * when the database is open. Then each batch gets one response; null closes the database and ends the thread.
 */
async function serveBatches(): Promise<void> {
  const { path, opened, modules } = workerData as ThreadData;
  const port = parentPort!;
  const [entries, events] = [
    await loaded<'entries'>(modules.entries),
    await loaded<'events'>(modules.events),
  ];
  const connection = connect(path);
  makeDurable(connection, path);
  const writer = new BatchWriter(connection, { files: new OpenFiles(opened), entries, events });

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

async function loaded<Part extends keyof PartWriters>(
  module: string | undefined,
): Promise<PartWriters[Part]> {
  return module === undefined ? undefined : ((await import(module)) as { writer: PartWriters[Part] }).writer;
}

function apply(writer: BatchWriter, batch: readonly Command[]): ThreadAnswer {
  try {
    return writer.applyBatch(batch);
  } catch (error) {
    return { error: messageOf(error) };
  }
}

void serveBatches();
