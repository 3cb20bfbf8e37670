import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

// svcgen as it was built, at a terminal that script(1) of util-linux makes.

const SVCGEN = path.join(__dirname, '../../bin/svcgen.js');
const PROJECT = `name: shop
groups:
  - versions: [v1]
    kinds:
      - name: Device
        versions:
          v1:
            spec:
              name: { type: string, rules: [required] }
`;
const OPTIONAL = `${PROJECT}              size: integer\n`;
const BREAKING = OPTIONAL.replace('type: string', 'type: integer');
const ADDED = 'spec.size: a field was added (compatible)';
const QUESTION = /Acknowledge 1 compatible change to stable versions\?/;

const ENTER = '\r';
const CTRL_C = '\u0003';

let folder: string;
let typist: Typist | undefined;
beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'svcgen questions-'))));
afterEach(() => {
  typist?.end();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Somebody at a terminal, in the folder. */
class Typist {
  private output = '';
  private readonly process: ChildProcess;
  private readonly ended: Promise<unknown[]>;

  constructor(line: string) {
    const command = `stty columns 200 rows 50; exec '${process.execPath}' '${SVCGEN}' ${line}`;
    const { CI: _, ...env } = process.env;
    this.process = spawn('script', ['-qefc', command, '/dev/null'], { cwd: folder, env, stdio: 'pipe' });
    this.process.stdout!.on('data', (chunk: Buffer) => {
      this.output += chunk.toString();
      this.process.emit('printed');
    });
    this.ended = once(this.process, 'close');
  }

  /** Waits until the terminal shows a string, after what was seen before. */
  async sees(text: RegExp | string): Promise<void> {
    for (;;) {
      const shown = stripVTControlCharacters(this.output);
      if (typeof text === 'string' ? shown.includes(text) : text.test(shown)) break;
      await Promise.race([
        once(this.process, 'printed'),
        this.ended.then(() => Promise.reject(new Error(`not shown: ${text}, but: ${shown}`))),
      ]);
    }
    this.output = '';
  }

  type(keys: string): void {
    this.process.stdin!.write(keys);
  }

  /** The exit code, and what was shown since the last text that was waited for. */
  async result(): Promise<{ exit: unknown; shown: string }> {
    const [exit] = await this.ended;
    return { exit, shown: stripVTControlCharacters(this.output) };
  }

  end(): void {
    this.process.kill('SIGKILL');
  }
}

function svcgen(line: string): Typist {
  return (typist = new Typist(line));
}

function write(text: string): void {
  fs.writeFileSync(path.join(folder, 'project.yaml'), text);
}

const lock = () => fs.readFileSync(path.join(folder, 'svcgen.lock'), 'utf8');

describe('svcgen generate asks about changes of a stable version', () => {
  beforeEach(async () => {
    write(PROJECT);
    expect(await svcgen('generate').result()).toMatchObject({ exit: 0 });
    write(OPTIONAL);
  });

  test('a compatible one: Enter writes', async () => {
    const terminal = svcgen('generate');
    await terminal.sees(QUESTION);
    expect(lock()).not.toContain('size');
    terminal.type(ENTER);
    const { exit, shown } = await terminal.result();
    expect({ exit, shown }).toEqual({ exit: 0, shown: expect.stringContaining('updated') });
    expect(shown).not.toContain(ADDED);
    expect(lock()).toContain('size');
  });

  test('the change and its class are shown first', async () => {
    const terminal = svcgen('generate');
    await terminal.sees(
      new RegExp(`project.yaml:10:\\d+: .*${ADDED.replace(/[.()]/g, '\\$&')}[^]*Acknowledge`),
    );
    terminal.type('n');
    const { exit, shown } = await terminal.result();
    expect(exit).toBe(2);
    expect(shown).toMatch(/not acknowledged; nothing was written\s+hint: .*"svcgen add version v2"/);
    expect(lock()).not.toContain('size');
  });

  test('a breaking one: Enter is no', async () => {
    write(BREAKING);
    const terminal = svcgen('generate');
    await terminal.sees(/Acknowledge 1 breaking and 1 compatible changes to stable versions\?/);
    terminal.type(ENTER);
    expect(await terminal.result()).toMatchObject({ exit: 2 });
    expect(lock()).not.toContain('size');
  });

  test('what changes while it asks is asked about as well', async () => {
    const terminal = svcgen('generate');
    await terminal.sees(QUESTION);
    write(BREAKING);
    terminal.type('y');
    await terminal.sees(/Acknowledge 1 breaking change to stable versions\?/);
    terminal.type('y');
    expect(await terminal.result()).toMatchObject({ exit: 0 });
  });

  test('Ctrl-C: exit 2, and nothing is written', async () => {
    const terminal = svcgen('generate');
    await terminal.sees(QUESTION);
    terminal.type(CTRL_C);
    expect(await terminal.result()).toMatchObject({
      exit: 2,
      shown: expect.stringContaining('cancelled; nothing was written'),
    });
    expect(lock()).not.toContain('size');
  });

  test('--watch: a change takes the question back, an answer goes on, Ctrl-C ends', async () => {
    const terminal = svcgen('generate --watch');
    await terminal.sees(QUESTION);
    write(BREAKING);
    await terminal.sees(/Acknowledge 1 breaking and 1 compatible changes/);
    terminal.type('y');
    await terminal.sees(/updated[^]*watching project.yaml/);
    expect(lock()).toContain('size');
    write(PROJECT);
    await terminal.sees(/Acknowledge 2 breaking changes/);
    terminal.type('n');
    await terminal.sees(/nothing was written[^]*watching project.yaml/);
    write(`${PROJECT}\n`);
    await terminal.sees(/Acknowledge 2 breaking changes/);
    terminal.type(CTRL_C);
    expect(await terminal.result()).toMatchObject({ exit: 0 });
  });
});

describe('svcgen init', () => {
  test('asks for what the flags leave out', async () => {
    const terminal = svcgen('init --name shop --validation strict');
    await terminal.sees(/API group/);
    terminal.type(ENTER);
    await terminal.sees(/API versions/);
    terminal.type(', v2beta1\r');
    await terminal.sees(/Storage version/);
    terminal.type(ENTER);
    await terminal.sees(/Publish CloudEvents\?/);
    terminal.type('y');
    expect(await terminal.result()).toMatchObject({ exit: 0 });
    expect(fs.readFileSync(path.join(folder, 'project.yaml'), 'utf8')).toMatch(
      /^name: shop\n[^]*events: true[^]*storageVersion: v1\n {4}versions: \[v1, v2beta1\]\n/m,
    );
  });

  test.each([
    ['--storage-version v9', /version v9 not found in group .*hint: --versions v1,v9 declares it/s],
    ['--name Ü', /"Ü" cannot be/],
    ['--group ..', /".." cannot be/],
    ['--versions v1,x', /"x" cannot be/],
  ])('a wrong flag is refused before the first question: %s', async (flag, message) => {
    const { exit, shown } = await svcgen(`init ${flag}`).result();
    expect({ exit, shown }).toEqual({ exit: 2, shown: expect.stringMatching(message) });
    expect(shown).not.toContain('Name of the service');
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});
