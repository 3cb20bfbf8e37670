import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIndexedStore } from '../open-store';
import { listSuite } from './list-suite';
import { longListSuite } from './long-list-suite';
import { stateSuite } from './state-suite';
import { writeSuite } from './write-suite';

const inMemory = async () => ({
  open: () => openIndexedStore('sqlite::memory:'),
  drop: async () => undefined,
});

const inFile = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-indexes-'));
  const url = `sqlite:${folder}/service.db`;
  return {
    url,
    open: () => openIndexedStore(url, { writerThread: false }),
    drop: async () => rmSync(folder, { recursive: true }),
  };
};

writeSuite('SQLite in memory', inMemory);
writeSuite('SQLite in a file', inFile);
listSuite('SQLite in memory', inMemory, 1_000);

stateSuite('SQLite in memory', inMemory);
stateSuite('SQLite in a file', inFile, async () => 'sqlite:/nowhere/at/all.db');
longListSuite('SQLite in memory', inMemory, 12_000);
