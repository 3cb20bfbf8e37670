import { parseEnv } from 'node:util';
import { closest } from '../../templates/runtime/model/suggest';
import { strayLine } from '../../templates/runtime/settings/environment-file';
import { allSettings } from '../render/service/project-files';
import { type Examination, type Found, ok, problem, warning } from './finding';
import { isTracked } from './project-checks';

/** Checks that a `.env` is not published, and that its names are settings. */
export async function checkEnvFile({ folder, envFile, envProblem }: Examination): Promise<Found> {
  if (envProblem !== undefined) return problem(envProblem, 'replace it with a regular file');
  if (envFile === undefined) return ok('none; .env.example lists the settings');
  if (await isTracked(folder, '.env')) {
    return problem('under version control, although it may hold secrets', 'git rm --cached .env');
  }
  const names = Object.keys(parseEnv(envFile)).sort();
  const stray = strayLine(envFile);
  if (stray !== undefined)
    return problem(
      `line ${stray} is not NAME=value`,
      'correct it, or put # before it; the service does not start',
    );
  const settings = allSettings('').map(({ name }) => name);
  const mistyped = names.flatMap((name) => {
    const meant = settings.includes(name) ? undefined : closest(name, settings);
    return meant === undefined ? [] : [{ name, meant }];
  });
  if (mistyped.length > 0) {
    const list = (key: 'name' | 'meant'): string => mistyped.map((one) => one[key]).join(', ');
    const message = mistyped.length === 1 ? 'is not a setting' : 'are not settings';
    return warning(`${list('name')} ${message} of the service`, `did you mean ${list('meant')}?`);
  }
  return ok(`sets ${names.length === 0 ? 'nothing' : names.join(', ')}`);
}
