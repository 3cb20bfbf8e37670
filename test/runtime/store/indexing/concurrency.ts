import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { NAME_INDEX } from '../../../../templates/runtime/store/indexing/resource-index';
import type { Store } from '../../../../templates/runtime/store/store';
import { REGISTER } from '../../../support/compiled';
import { checkIndexes, openIndexedStore } from '../open-store';
import { indexOf, PART, SUPPLIER, type Values } from './parts';

const ROOT = resolve(__dirname, '../../../..');

/** Two processes with so many clients each, which make so many writes in all; one is killed so many times. */
export interface Load {
  clients: number;
  writes: number;
  kills: number;
  /** Modules that each process loads first. */
  hooks?: string[];
}

/** Runs such a load on a database, and returns the counts of outcomes, a line for each process that was not killed. */
export async function runLoad(url: string, { clients, writes, kills, hooks = [] }: Load): Promise<string[]> {
  const share = Math.ceil(writes / (2 * kills + 2) / 100) * 100;
  const outputs: string[] = [];
  const start = (name: string, count: number): Writer => {
    const loaded = [REGISTER, ...hooks].flatMap((module) => ['-r', module]);
    const words = [...loaded, join(__dirname, 'part-child.ts'), url, name];
    const child = spawn(process.execPath, [...words, String(clients), String(count)], {
      cwd: ROOT,
      env: {
        ...process.env,
        FAULT_RUNTIME: join(ROOT, 'templates/runtime'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (data: Buffer) => (text += data.toString()));
    return { child, output: () => text, ended: once(child, 'close') };
  };
  const steady = start('steady', share * (kills + 1));
  for (let kill = 0; kill <= kills; kill++) {
    // One that is to be killed writes without end.
    const writer = start(`k${kill}`, kill < kills ? 1e9 : share);
    if (kill === kills) outputs.push(await finished(writer));
    else {
      while (writer.output().length < share / 100) await progressOf(writer);
      writer.child.kill('SIGKILL');
      await writer.ended;
    }
  }
  return [await finished(steady), ...outputs];
}

/** A process that writes, and its output so far. */
interface Writer {
  child: ChildProcess;
  output: () => string;
  ended: Promise<unknown[]>;
}

/** Resolves when a process has made more writes. Throws when it has ended instead. */
async function progressOf({ child, ended }: Writer): Promise<void> {
  const crashed = ended.then(([code]) => Promise.reject(new Error(`a writer ended with ${String(code)}`)));
  // It is killed later.
  crashed.catch(() => undefined);
  await Promise.race([once(child.stdout!, 'data'), crashed]);
}

/** Returns the last line of a process that has made all its writes. Throws when it has failed. */
async function finished({ ended, output }: Writer): Promise<string> {
  const [code] = await ended;
  if (code !== 0) throw new Error(`a writer ended with ${String(code)}`);
  return output().trim().split('\n').at(-1)!;
}

/** Compares entries with the texts of the resources: every problem, a line each. */
export async function problemsOf(url: string): Promise<string[]> {
  const store = await openIndexedStore(url);
  try {
    const of = ({ uid, text }: { uid: string; text: string }) => ({
      index: indexOf(uid, JSON.parse(text) as Values),
      tooLong: [],
    });
    const kinds = [PART, SUPPLIER].map((kind) => ({ kind, entries: { digest: '1', of } }));
    const problems = await checkIndexes(url, kinds);
    const lines = problems.map((problem) => JSON.stringify(problem));
    for (const kind of [PART, SUPPLIER]) lines.push(...(await unsorted(store, kind)));
    return lines;
  } finally {
    await store.close();
  }
}

/** Compares the index of names with the names. */
async function unsorted(store: Store, kind: string): Promise<string[]> {
  const all = { after: 0, limit: 100_000, selector: [] };
  const nameOf = ({ uid, text }: { uid: string; text: string }): string =>
    (JSON.parse(text) as Values).name ?? uid;
  const want = (await store.list(kind, all)).map(nameOf).toSorted();
  const found = (await store.list(kind, { ...all, sort: { index: NAME_INDEX } })).map(nameOf);
  if (want.length === 0) return [`there is no ${kind}`];
  return want.join() === found.join()
    ? []
    : [`the index of names of ${kind} has ${found.join()}, not ${want.join()}`];
}
