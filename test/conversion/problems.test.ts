import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { planConversion } from '../../src/conversion/plan/conversion';
import { loadProject } from '../../src/load/load-project';
import type { Json } from '../../src/model/project';
import { type Given, pair } from './harness';
import { PROBLEMS } from './problems';

// UPDATE_GOLDEN=1 writes problems.txt anew.

const FILE = join(__dirname, 'problems.txt');

test('every mistake is refused, with what to do about it', () => {
  const text = Object.entries(PROBLEMS).map(([name, given]) => {
    const { problems, plan } = planned(given);
    expect([name, plan]).toEqual([name, undefined]);
    const lines = problems.map(({ version, path, message, hint }) => {
      const at = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
      return `${version}${at}: ${message}\n  hint: ${hint}\n`;
    });
    return `# ${name}\n${lines.join('')}`;
  });
  if (process.env['UPDATE_GOLDEN']) writeFileSync(FILE, text.join('\n'));
  expect(text.join('\n')).toBe(readFileSync(FILE, 'utf8'));
});

/** With the rules as they are: the schema of project.yaml refuses some of them earlier. */
function planned({ rules, ...given }: Given) {
  const [group] = loadProject('.', pair(given)).project.groups;
  const [hub, spoke] = group.kinds[0].versions;
  const conversion = rules === undefined ? [] : (parse(rules) as Json[]);
  return planConversion(hub, { ...spoke, conversion }, group.types);
}
