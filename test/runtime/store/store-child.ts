import { connect } from '../../../templates/runtime/store/sqlite/connection/driver';
import { openStore } from './open-store';
import { creation, KIND, updateOf } from './store-writes';

/**
 * A second process of tests: `node store-child.js <task> <file> <name>`. It says `begun` when it has begun,
 * a line for each write that was acknowledged, and `done` at its end.
 */
const tasks: { [task: string]: (path: string, name: string) => Promise<void> } = {
  /** Creates resources until it is killed, 16 writers at a time. */
  async create(path, name) {
    const store = await openStore(`sqlite:${path}`);
    let count = 0;
    const writer = async (): Promise<void> => {
      for (;;) {
        const uid = `${name}-${(count += 1)}`;
        await store.write(creation(uid));
        say(uid);
      }
    };
    say('begun');
    await Promise.all(Array.from({ length: 16 }, writer));
  },

  /** Increments the resource `counter` 100 times. */
  async increment(path) {
    const store = await openStore(`sqlite:${path}`);
    say('begun');
    for (let left = 100; left > 0;) {
      const current = await store.get(KIND, 'counter');
      const text = String(Number(current!.text) + 1);
      if ((await store.write(updateOf(current!, { text }))) === 'done') left -= 1;
    }
    await store.close();
  },

  /** Holds the write lock until its standard input ends. */
  async lock(path) {
    const connection = connect(path);
    connection.exec('BEGIN IMMEDIATE');
    say('begun');
    for await (const _ of process.stdin);
    connection.exec('ROLLBACK');
    connection.close();
  },
};

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const [task, path, name] = process.argv.slice(2);
void tasks[task](path, name).then(() => say('done'));
