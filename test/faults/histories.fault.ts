import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fault } from './fault';
import { LOADS } from './loads';
import { CONTROLS, histories, title } from './rounds';

async function onFile(use: (url: string) => Promise<string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-history-'));
  return use(`sqlite:${folder}/service.db`).finally(() => rmSync(folder, { recursive: true }));
}

for (const processes of [1, 2]) {
  fault(title(processes, 'SQLite'), {
    check: (broken) => onFile((url) => histories(url, processes, broken)),
    controls: CONTROLS,
  });
}

for (const [name, load] of Object.entries(LOADS)) {
  fault(`${title(2, 'SQLite')}, ${name}`, {
    check: (broken) => onFile((url) => histories(url, 2, broken, { rounds: 1, operations: 200, load })),
    controls: CONTROLS,
  });
}

fault('histories of two workers, SQLite', {
  check: (broken) => {
    const environment = { ...broken.environment, WORKERS: '2' };
    const rounds = { rounds: 1, operations: 4_200 };
    return onFile((url) => histories(url, 1, { ...broken, environment }, rounds));
  },
  controls: CONTROLS,
});
