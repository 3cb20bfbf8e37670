import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../../templates/runtime/files/make-folder';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'make-folder-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('is made with those above it, and left alone where it is there', () => {
  const path = join(folder, 'a/b/c');
  makeFolder(path, 0o700);
  makeFolder(path, 0o755);
  for (const each of ['a', 'a/b', 'a/b/c'])
    expect((statSync(join(folder, each)).mode & 0o777).toString(8)).toBe('700');
});

test('may be behind a link', () => {
  makeFolder(join(folder, 'real'));
  symlinkSync('real', join(folder, 'link'));
  makeFolder(join(folder, 'link'));
  makeFolder(join(folder, 'link/a/b/'));
  expect(statSync(join(folder, 'real/a/b')).isDirectory()).toBe(true);
});

test.each<[string, path: string, code: RegExp]>([
  ['where a file is', 'file', /EEXIST/],
  ['below a file', 'file/a/b', /EEXIST/],
  ['behind a link that leads nowhere', 'nowhere/a', /EEXIST/],
  ['where the system lets nobody make one', '/proc/none/a', /mkdir '\/proc/],
])('is not made %s', (_, path, code) => {
  writeFileSync(join(folder, 'file'), '');
  symlinkSync('none', join(folder, 'nowhere'));
  expect(() => makeFolder(path.startsWith('/') ? path : join(folder, path))).toThrow(code);
});
