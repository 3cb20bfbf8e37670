import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogFile } from '../../../templates/runtime/service/logger';
import { REGISTER } from '../../support/compiled';

const LOGGER = join(__dirname, '../../../templates/runtime/service/logger');

/** Logs more lines than the buffers of a stream hold, and ends by itself. */
const SCRIPT = `
  const logger = require(${JSON.stringify(LOGGER)}).createLogger('test', { LOG_LEVEL: 'info' });
  for (let line = 0; line < 1_000; line++) logger.info('x'.repeat(200));
  setTimeout(() => logger.info('the last'), 50);
`;

test('a process goes on, and ends, where its log is on a full disk', async () => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, ['--require', REGISTER, '--eval', SCRIPT], {
    stdio: ['ignore', full, 'inherit'],
  });
  expect((await once(child, 'exit'))[0]).toBe(0);
  closeSync(full);
});

test('lines are written one after the other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-log-'));
  const path = join(folder, 'log');
  const file = openSync(path, 'w');
  const log = new LogFile(file);
  for (const line of ['one\n', 'två\n']) log.write(line);
  closeSync(file);
  log.write('to a closed file\n');
  expect(readFileSync(path, 'utf8')).toBe('one\ntvå\n');
  rmSync(folder, { recursive: true });
});
