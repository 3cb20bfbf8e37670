import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadProject } from '../../src/load/load-project';
import { kubeconfig } from '../../templates/runtime/kubernetes/kubeconfig';
import { Cluster } from '../runtime/kubernetes/devices';
import { type Block, blocksOf, isAsShown } from '../support/page';
import { describeKubectl, kubectl } from './kubectl-program';

// The tour of docs/kubernetes.md: its files are written, its commands run against a service of its project, and they print
// what the page shows, as far as each kubectl knows them.

const blocks = blocksOf(join(__dirname, '../../docs/kubernetes.md'));
const files = blocks.filter(({ directive }) => directive === 'file');
const { project } = loadProject('.', files.find(({ argument }) => argument === 'project.yaml')!.text);

interface Step {
  commands: string[];
  /** The minor version of kubectl that knows the commands. */
  since: number;
  shown: Block;
}

const steps = blocks.flatMap(({ language, directive, argument, text }, index): Step[] => {
  if (language !== 'sh' || directive === 'not run') return [];
  const since = directive === 'kubectl from' ? Number(argument.slice('1.'.length)) : 0;
  return [{ commands: text.trim().split('\n'), since, shown: blocks[index + 1] }];
});

test('each step has an output', () => {
  expect(steps.filter(({ shown }) => shown.language !== '')).toEqual([]);
});

describeKubectl(({ minor, path }) => {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-kubernetes-page-'));
  let cluster: Cluster;
  let program: string;

  beforeAll(async () => {
    program = await path();
    cluster = await Cluster.start({ project });
    const environment = { PORT: String(cluster.port) };
    writeFileSync(join(folder, 'config'), kubeconfig(project.name, [], environment));
    for (const { argument, text } of files) writeFileSync(join(folder, argument), text);
  });
  afterAll(async () => {
    await cluster?.close();
    rmSync(folder, { recursive: true });
  });

  const known = steps.filter(({ since }) => minor >= since);
  test.each(known.map((step) => [step.commands.join('; '), step] as const))('%s', async (_, step) => {
    let printed = '';
    for (const command of step.commands) {
      const [name, ...args] = wordsOf(command);
      expect(name).toBe('kubectl');
      // An output may lack its last line break.
      printed += `${await kubectl({ program, folder }, args)}\n`;
    }
    const [is, shown] = [printed, step.shown.text].map(withoutAges);
    if (!isAsShown(is, shown)) expect(is).toBe(shown);
  });
});

/** Returns the words of a command. Those in quotes have spaces and quotes of the other kind. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
}

/** Returns an output without the ages of objects, spaces at ends and empty lines. */
function withoutAges(output: string): string {
  const lines = output.split('\n').map((line) => line.replace(/ \d+m?s$/, ' <age>').trimEnd());
  return lines.filter((line) => line !== '').join('\n');
}
