import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { run } from '../../src/cli/run';
import { Terminal } from '../support/terminal';

// The scripts in the shells that they are for; svcgen is what was built.

const PROJECT = `name: shop
groups:
  - name: example.svc.dev
    versions: [v1, v2beta1]
    kinds:
      - name: Device
        versions: { v1: { spec: {} } }
      - name: Door
        versions: { v1: { spec: {} }, v2beta1: { spec: {} } }
  - name: other.svc.dev
    versions: [{ name: v3, deprecated: { since: 2026-01-31 } }]
    kinds:
      - name: # being written
`;

let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'svcgen completion-'));
  fs.mkdirSync(path.join(folder, 'bin'));
  fs.symlinkSync(path.join(__dirname, '../../bin/svcgen.js'), path.join(folder, 'bin/svcgen'));
  fs.mkdirSync(path.join(folder, 'project/src/folder'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'project/project.yaml'), PROJECT);
  for (const shell of ['bash', 'zsh', 'fish']) {
    const io = new Terminal(folder);
    expect(await run(['completion', shell], io)).toBe(0);
    fs.writeFileSync(path.join(folder, `svcgen.${shell}`), io.out);
  }
  const PATH = [path.join(folder, 'bin'), process.env['PATH']].join(path.delimiter);
  env = { ...process.env, PATH, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Completions of a shell for the words after `svcgen`, the last of which is incomplete. */
const SHELLS: { [shell: string]: (words: string[]) => string } = {
  // COMP_WORDS as bash makes them: `=` is a word.
  bash: (words) => `
    source '${folder}/svcgen.bash'
    compopt() { COMPREPLY+=("$*"); }
    COMP_WORDS=(svcgen ${words
      .flatMap((word) => word.split(/(=)/))
      .map((word) => `'${word}'`)
      .join(' ')})
    COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
    $(complete -p svcgen | sed 's/.*-F \\([^ ]*\\).*/\\1/')
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (words) => `
    compdef() { completer=$1; }
    _describe() { print -l -- "\${(@P)3}"; }
    _files() { print -- files $*; }
    source '${folder}/svcgen.zsh'
    words=(svcgen ${words.map((word) => `'${word}'`).join(' ')})
    CURRENT=$#words
    $completer`,
  fish: (words) => `
    source '${folder}/svcgen.fish'
    complete --do-complete 'svcgen ${words.join(' ')}'`,
};

function offered(shell: string, words: string[]): string[] {
  const options = { cwd: path.join(folder, 'project/src'), env, encoding: 'utf8' as const };
  const text = execFileSync(shell, ['-c', SHELLS[shell](words)], options);
  const lines = text.split('\n').filter((line) => line !== '');
  // zsh and fish show what a word means.
  return lines.map((line) => (shell === 'bash' ? line : line.split(shell === 'zsh' ? ':' : '\t')[0]));
}

const CASES: [line: string, offered: string[]][] = [
  ['', ['init', 'add', 'generate', 'convert', 'client', 'doctor', 'completion', 'version', 'help']],
  ['gen', ['generate']],
  ['add ', ['kind', 'version', 'help']],
  ['add kind ', ['Device', 'Door']],
  ['add kind Do', ['Door']],
  ['add kind Device --version ', ['v1', 'v2beta1', 'v3']],
  ['add kind Device --group other.svc.dev --version ', ['v3']],
  ['add kind --group ', ['example.svc.dev', 'other.svc.dev']],
  ['add kind Device --pl', ['--plural']],
  ['add version --fr', ['--from']],
  ['add version v', []],
  ['convert --kind Device --from ', ['v1']],
  ['convert --kind Door --to v2', ['v2beta1']],
  ['generate --check --d', ['--dry-run', '--diff']],
  ['generate --check --c', []],
  ['init --validation ', ['strict', 'warn', 'disabled']],
  ['completion z', ['zsh']],
  ['nonsense ', []],
];

describe.each(Object.keys(SHELLS))('%s', (shell) => {
  const installed = spawnSync(shell, ['-c', 'true']).status === 0;
  if (!installed) console.warn(`${shell} is not installed: its completion is not tested`);

  // svcgen offers the same to each shell.
  const cases = shell === 'bash' ? CASES : CASES.filter((_, index) => index % 3 === 0);
  (installed ? test : test.skip).each(cases)('svcgen %s', (line, words) => {
    expect(offered(shell, line.split(' ')).sort()).toEqual([...words].sort());
  });

  (installed ? test : test.skip)('a value behind =', () => {
    // bash replaces what is behind the sign alone.
    const whole = shell === 'bash' ? '' : '--kind=';
    expect(offered(shell, ['convert', '--kind=De'])).toEqual([`${whole}Device`]);
    expect(offered(shell, ['convert', '--kind='])).toEqual([`${whole}Device`, `${whole}Door`]);
  });

  (installed ? test : test.skip).each([
    ['files', ['convert', '']],
    ['folders', ['generate', '--project', '']],
  ])('names of %s are the shell its own', (_what, words) => {
    expect(offered(shell, words)).not.toEqual([]);
  });
});

describe('names that a shell would run', () => {
  const HOSTILE = [
    '$(touch pwned)',
    '`touch pwned`',
    'A;touch pwned',
    'A|touch',
    'A&',
    "A'B",
    'A\nB',
    'device',
  ];
  const hostile = `name: shop
groups:
  - name: ${JSON.stringify(HOSTILE[0])}
    versions: [v1, ${HOSTILE.map((name) => JSON.stringify(name)).join(', ')}]
    kinds: [{ name: Device }, ${HOSTILE.map((name) => `{ name: ${JSON.stringify(name)} }`).join(', ')}]
`;
  beforeAll(() => fs.writeFileSync(path.join(folder, 'project/project.yaml'), hostile));
  afterAll(() => fs.writeFileSync(path.join(folder, 'project/project.yaml'), PROJECT));

  describe.each(Object.keys(SHELLS))('%s', (shell) => {
    const installed = spawnSync(shell, ['-c', 'true']).status === 0;
    (installed ? test : test.skip).each([
      ['add kind ', ['Device']],
      ['add kind Device --version ', ['v1']],
      ['add kind --group ', []],
    ])('svcgen %s: those that are valid alone', (line, words) => {
      expect(offered(shell, line.split(' '))).toEqual(words);
      expect(fs.readdirSync(path.join(folder, 'project/src'))).toEqual(['folder']);
    });
  });

  test('bash inserts quoted what it is offered', () => {
    const program = path.join(folder, 'bin/evil');
    fs.writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' '$(touch pwned)' 'a;b' 'plain'\n`, { mode: 0o755 });
    const script = SHELLS['bash'](['add', '']).replace('COMP_WORDS=(svcgen', 'COMP_WORDS=(evil');
    const given = execFileSync('bash', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
    expect(given.split('\n').slice(0, 3)).toEqual(['\\$\\(touch\\ pwned\\)', 'a\\;b', 'plain']);
  });
});

test('a project.yaml that is a pipe completes nothing, and does not wait', async () => {
  const place = path.join(folder, 'pipe');
  fs.mkdirSync(place);
  execFileSync('mkfifo', [path.join(place, 'project.yaml')]);
  const io = new Terminal(place);
  expect(await run(['__complete', '--', 'add', 'kind', ''], io)).toBe(0);
  expect([io.out, io.err]).toEqual(['', '']);
});

test('outside of a project there are no names, and no complaint', async () => {
  const io = new Terminal(folder);
  expect(await run(['__complete', '--', 'add', 'kind', ''], io)).toBe(0);
  expect([io.out, io.err]).toEqual(['', '']);
});

test('completion of another shell: exit 2', async () => {
  const io = new Terminal(folder);
  expect(await run(['completion', 'tcsh'], io)).toBe(2);
  expect(io.err).toContain('Allowed choices are bash, zsh, fish');
});
