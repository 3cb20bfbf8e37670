import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../templates/runtime/store/open-store';
import { storeSuite } from './store-suite';

storeSuite(
  'SQLite in memory',
  async () => ({ open: () => openStore('sqlite::memory:'), drop: async () => undefined }),
  false,
);

storeSuite(
  'SQLite in a file',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svcgen-store-'));
    return {
      open: () => openStore(`sqlite:${folder}/data/service.db`),
      drop: async () => rmSync(folder, { recursive: true }),
    };
  },
  true,
);
