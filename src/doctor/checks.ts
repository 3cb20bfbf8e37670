import { checkDependencies } from './dependencies';
import { checkEnvFile } from './env-file';
import { type Examination, type Found, ok, problem } from './finding';
import { checkPort } from './port';
import { checkGenerated, checkLock, checkProjectFile } from './project-checks';
import { checkInProject } from './running';
import { checkTypes } from './types';

/** The oldest supported version of Node.js. */
const OLDEST_NODE = [20, 19] as const;

/** Checks that a version of Node.js, such as `20.19.0`, is new enough. */
export function checkNode(version: string): Found {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNew = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  if (isNew) return ok(version);
  return problem(`${version} is too old`, `install ${OLDEST_NODE.join('.')} or newer`);
}

/** Everything that `svcgen doctor` checks, in the order of its report. */
export const CHECKS: [name: string, check: (examination: Examination) => Found | Promise<Found>][] = [
  ['Node.js', () => checkNode(process.versions.node)],
  ['project.yaml', checkProjectFile],
  ['generated code', checkGenerated],
  ['svcgen.lock', checkLock],
  ['dependencies', checkDependencies],
  ['.env', checkEnvFile],
  ['types', checkTypes],
  ['hooks', (examination) => checkInProject(examination, 'hooks')],
  ['settings', (examination) => checkInProject(examination, 'settings')],
  ['port', checkPort],
  ['database', (examination) => checkInProject(examination, 'database')],
  ['conversion', (examination) => checkInProject(examination, 'laws')],
];
