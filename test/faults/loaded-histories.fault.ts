import { fault } from './support/fault';
import { LOADS } from './support/loads';
import { CONTROLS, histories, onFile, title } from './support/rounds';

for (const [name, load] of Object.entries(LOADS)) {
  fault(`${title(2, 'SQLite')}, ${name}`, {
    check: (broken) => onFile((url) => histories(url, 2, broken, { rounds: 1, operations: 200, load })),
    controls: CONTROLS,
  });
}
