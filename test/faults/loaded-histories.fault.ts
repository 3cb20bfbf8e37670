import { fault } from './fault';
import { LOADS } from './loads';
import { CONTROLS, histories, onFile, title } from './rounds';

for (const [name, load] of Object.entries(LOADS)) {
  fault(`${title(2, 'SQLite')}, ${name}`, {
    check: (broken) => onFile((url) => histories(url, 2, broken, { rounds: 1, operations: 200, load })),
    controls: CONTROLS,
  });
}
