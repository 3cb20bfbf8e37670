import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readProject } from '../src/load/load-project';
import { formatProblems, ProjectError } from '../src/model/problem';
import { planProject } from '../src/plan/plan-project';

const ROOT = join(__dirname, '../fixtures/problems');
const FOLDERS = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

function problemsOf(folder: string): string {
  try {
    planProject(readProject(folder));
  } catch (error) {
    if (error instanceof ProjectError) return `${formatProblems(error.problems)}\n`;
    throw error;
  }
  return 'no problems\n';
}

/** Each folder holds a project.yaml that is wrong, and what is said of it. UPDATE_GOLDEN=1 writes it anew. */
test.each(FOLDERS)('%s', (name) => {
  const given = problemsOf(join(ROOT, name));
  const golden = join(ROOT, name, 'problems.txt');
  if (process.env.UPDATE_GOLDEN) writeFileSync(golden, given);
  expect(given).toBe(readFileSync(golden, 'utf8'));
});
