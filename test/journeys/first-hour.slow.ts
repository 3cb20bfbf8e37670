import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port';
import { fencedBlocks } from '../support/page';
import { Typist } from '../support/typist';

// The first hour of somebody new, with the commands that svcgen and the service name, from an empty folder to a service
// with two versions that asks for tokens. A step that names no next command fails here.

const MINUTES = 60_000;
const START = 'npm start';

let folder: string;
let typist: Typist;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svcgen hour '));
  mkdirSync(join(folder, 'bin'));
  symlinkSync(join(__dirname, '../../bin/svcgen.js'), join(folder, 'bin/svcgen'));
  typist = new Typist(folder, join(folder, 'bin'), { 8080: await freePort() });
});

afterAll(async () => {
  await typist.close();
  rmSync(folder, { recursive: true, force: true });
});

test(
  'an empty folder: the commands after "next:" lead to a service that answers the README',
  async () => {
    const [, next = ''] = typist.type('svcgen init inventory --yes 2>&1').split('next:\n');
    const commands = next.split('\n').map((line) => line.replace(/#.*/, '').trim());
    for (const command of commands.filter((line) => !['', START].includes(line)))
      typist.type(command.replace('<Kind>', 'Device'));
    expect(commands).toContain(START);
    await typist.stay(START);
    expect(typist.type(requestOf('Device'))).toContain('"kind":"Device"');
  },
  15 * MINUTES,
);

test(
  'an optional field in v1: the refusal names the command that goes on',
  async () => {
    edit('project.yaml', /( *)description: .*\n/, '$&$1size: integer\n');
    const refusal = typist.type('svcgen generate 2>&1 || true');
    typist.type(nextCommand(refusal, /acknowledge with "(.*?)"/));
    await typist.stay(START);
    expect(typist.type(requestOf('Device'))).toContain('"size":1');
  },
  5 * MINUTES,
);

test(
  'security: the notice names the line to add, the service the secret, the README the token',
  async () => {
    edit('project.yaml', /^events: .*\n/m, '$&security: [bearer]\n');
    const notice = typist.type('svcgen generate 2>&1');
    const [, module, call] = /import bearerToken from (\S+) and add (\S+) before mountRoutes/.exec(notice)!;
    edit('src/app.ts', /^import/, `import { bearerToken } from '${module}';\nimport`);
    edit('src/app.ts', / *mountRoutes\(app/, `  ${call};\n$&`);
    expect(typist.type('svcgen generate 2>&1')).not.toContain('attaches no middleware');

    typist.type(
      nextCommand(typist.type(`${START} 2>&1 || true`), /^inventory does not start: .* to make one: (.*)/m),
    );
    const [makeToken = ''] = sectionOf('Credentials');
    typist.type(makeToken.split('\n').slice(1).join('\n'));
    await typist.stay(START);
    expect(typist.type('curl localhost:8080/devices')).toBe('Unauthorized');
    expect(typist.type(requestOf('Device'))).toContain('"size":1');
    const ctl = 'node dist/generated/ctl.js get devices --server http://localhost:8080';
    const variable = nextCommand(typist.type(`${ctl} 2>&1 || true`), /give a token by (\w+)/);
    expect(typist.type(`${variable}=$TOKEN ${ctl}`)).toContain('my-device');
    expect(typist.type(`${ctl} --token $TOKEN`)).toContain('my-device');
  },
  5 * MINUTES,
);

test(
  'a second version',
  async () => {
    typist.type(nextCommand(typist.type('svcgen add version v2beta1 2>&1'), /then run (svcgen generate)/));
    await typist.stay(START);
    const url = 'localhost:8080/apis/example.svc.dev/v2beta1/devices';
    expect(typist.type(`curl -H "Authorization: Bearer $TOKEN" ${url}`)).toContain(
      '/v2beta1","kind":"Device"',
    );
  },
  5 * MINUTES,
);

/** Returns the command that a message names. Throws where it names none. */
function nextCommand(text: string, command: RegExp): string {
  const [, found] = command.exec(text) ?? [];
  if (found === undefined) throw new Error(`no next command:\n${text}`);
  return found;
}

/** Returns the shell blocks of a section of the generated README. */
function sectionOf(title: string): string[] {
  const readme = readFileSync(join(typist.cwd, 'src/generated/README.md'), 'utf8');
  const section = readme.split(/^## /m).find((text) => text.startsWith(`${title}\n`))!;
  return fencedBlocks(section)
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text);
}

/** Returns the request of the generated README that creates a resource of a kind. */
function requestOf(kind: string): string {
  return sectionOf(kind)[0];
}

function edit(path: string, pattern: RegExp, replacement: string): void {
  const file = join(typist.cwd, path);
  const before = readFileSync(file, 'utf8');
  const after = before.replace(pattern, replacement);
  expect(after).not.toBe(before);
  writeFileSync(file, after);
}
