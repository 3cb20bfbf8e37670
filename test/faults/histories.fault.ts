import { fault } from './support/fault';
import { CONTROLS, histories, onFile, title } from './support/rounds';

for (const processes of [1, 2]) {
  fault(title(processes, 'SQLite'), {
    check: (broken) => onFile((url) => histories(url, processes, broken)),
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
