import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowances } from '../../src/conversion/reports/allowances';
import { checkLaws } from '../../templates/laws/laws';
import { spokes, type UserFile } from './harness';

// Evolutions that happened, and some that could: every law, for all spokes of a kind together.

const FOLDER = join(__dirname, '../../fixtures/conversion');

test.each(readdirSync(FOLDER))('%s keeps the laws', (name) => {
  const file = join(FOLDER, name, 'kind.ts');
  const user: UserFile = existsSync(file) ? require(file) : {};
  const all = [...spokes(readFileSync(join(FOLDER, name, 'project.yaml'), 'utf8'), user).values()];
  const subjects = all.map(({ spoke, conversion, converter }) => ({
    fields: spoke,
    converter,
    ...allowances(conversion.plan!),
  }));
  checkLaws(all[0].hub, subjects);
});
