import { parseEnv } from 'node:util';
import { closest } from '../../templates/runtime/model/suggest';
import { quoted } from '../model/quoted';
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
  // Node.js takes a line without = for a part of the name on the next line, which then sets nothing.
  const stray = names.find((name) => /\s/.test(name));
  if (stray !== undefined)
    return problem(
      `not every line is NAME=value: ${quoted(stray.split('\n', 1)[0])}`,
      'correct the line, or put # before it: it hides the setting below it',
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
