import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeText, readRegularFile } from '../../../templates/runtime/files/regular-file';
import { REGISTER } from '../../support/compiled';

const ENVIRONMENT_FILE = join(__dirname, '../../../templates/runtime/settings/environment-file');

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svcgen-files-'));
  file = join(folder, '.env');
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each<[what: string, place: () => void, want: string]>([
  ['nothing', () => undefined, 'does not exist'],
  ['a folder', () => mkdirSync(file), 'is not a regular file'],
  ['a pipe', () => void execFileSync('mkfifo', [file]), 'is not a regular file'],
  ['a device', () => symlinkSync('/dev/zero', file), 'is not a regular file'],
  ['a link to itself', () => symlinkSync('.env', file), 'cannot be read: its symbolic links form a loop'],
  ['a file that never ends', () => symlinkSync('/proc/self/mem', file), 'cannot be read (EIO)'],
  ['a large file', () => writeFileSync(file, 'a'.repeat(262_145)), 'is larger than 256 KiB'],
  ['UTF-16', () => writeFileSync(file, Buffer.from('\ufeffPORT=1', 'utf16le')), 'is not UTF-8 text'],
])('%s in the place of a file is refused', (_, place, want) => {
  place();
  expect(() => decodeText(readRegularFile(file))).toThrow(want);
});

/** Runs a program that loads `.env`, in the folder; TAKEN is set before. */
function load(): { status: number | null; stdout: string; stderr: string } {
  const program = `require(${JSON.stringify(ENVIRONMENT_FILE)}).loadEnvironment(); console.log(process.env.PORT, process.env.TAKEN)`;
  const args = ['--require', REGISTER, '-e', program];
  return spawnSync(process.execPath, args, {
    cwd: folder,
    env: { TAKEN: 'before' },
    encoding: 'utf8',
  });
}

test('settings of .env are those of the service, whatever an editor adds to the text', () => {
  writeFileSync(file, '\ufeffPORT=9000\r\nTAKEN=after\r\n');
  expect(load()).toMatchObject({ status: 0, stdout: '9000 before\n' });
});

test('a service does not start with a line of .env that is no setting', () => {
  writeFileSync(file, '# of the service\r\n\r\n  the port=9000\r\n');
  const stderr = '.env has no NAME=value in line 3; correct it, or put # before it\n';
  expect(load()).toMatchObject({ status: 1, stdout: '', stderr });
});

test('a line without = hides no setting: with a Node.js where it would, the service does not start', () => {
  writeFileSync(file, 'for tests\nPORT=9000\n');
  const { status, stdout, stderr } = load();
  expect(status === 0 ? stdout : stderr).toMatch(/^(9000 before|\.env has no NAME=value in line 1; .*)\n$/);
});

test('a service does not start with a .env that it cannot read, nor wait for one', () => {
  execFileSync('mkfifo', [file]);
  const stderr = '.env is not a regular file; replace it with a text file in UTF-8\n';
  expect(load()).toMatchObject({ status: 1, stdout: '', stderr });
});
