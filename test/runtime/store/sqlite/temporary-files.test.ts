import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

type Driver = typeof import('../../../../templates/runtime/store/sqlite/connection/driver');

test.each([
  ['the folder of the database where no other can be written', false],
  ['those that SQLite finds where one can be written', true],
])('temporary files go to %s', (_, isWritable) => {
  const before = process.env;
  process.env = { ...before, SQLITE_TMPDIR: '' };
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'svcgen-temporary-'));
  const access = jest.spyOn(fs, 'accessSync').mockImplementation((place) => {
    if (!isWritable || place !== '/var/tmp') throw new Error('EROFS');
  });
  try {
    jest.isolateModules(() => {
      const { connect } = require('../../../../templates/runtime/store/sqlite/connection/driver') as Driver;
      connect(path.join(folder, 'a.db')).close();
    });
    expect(process.env['SQLITE_TMPDIR']).toBe(isWritable ? '' : folder);
  } finally {
    access.mockRestore();
    process.env = before;
    fs.rmSync(folder, { recursive: true });
  }
});
