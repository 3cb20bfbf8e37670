import { ignoreLostOutput, say } from '../files/command-output';
import type { KindDefinition } from '../model/kinds/kind';
import type { ServiceDefinition } from '../service/definition';
import { databaseUrl, storeSettings } from '../service/known-store';
import { readSettings } from '../settings/settings';
import { databaseOf } from '../store/database';
import { MAX_PROBLEMS } from '../store/indexing/rebuild';
import { describeProblem, indexedKinds, plansOf } from './indexed-kinds';
import { onceASecond } from './progress';

const USAGE = 'usage: npm run check-data [-- --json]';

/**
 * Reports the stored resources that break rules of names, unique fields, references and lengths: those for which the
 * service would refuse to start, up to 100. Nothing is written, and services may run. The report goes to standard output, with
 * `--json` as an array of objects, and progress to standard error. The exit code is 0 where there are none, 1 where there
 * are some and where the store failed, 2 for wrong arguments.
 */
export async function checkData(
  definition: ServiceDefinition,
  kinds: readonly KindDefinition[],
  argv: readonly string[],
): Promise<number> {
  ignoreLostOutput();
  const isJson = argv.includes('--json');
  if (argv.some((argument) => argument !== '--json')) return say(USAGE, 2);
  const progress = onceASecond((kind, done, all) => say(`${kind}: ${done} of ${all} resources checked`));
  try {
    const settings = readSettings(process.env);
    const indexed = indexedKinds(kinds, plansOf(kinds));
    const url = databaseUrl(definition, settings);
    const database = databaseOf(definition.databases, url);
    const problems = await database.checkIndexes!(url, storeSettings(settings), indexed, progress);
    const shown = problems.map(({ key: _, ...problem }) => problem);
    process.stdout.write(
      isJson ? `${JSON.stringify(shown, undefined, 2)}\n` : textOf(problems.map(describeProblem)),
    );
    return problems.length === 0 ? 0 : 1;
  } catch (error) {
    return say(`${definition.name} is not checked: ${(error as Error).message}`, 1);
  }
}

function textOf(problems: readonly string[]): string {
  if (problems.length === 0) return 'all resources keep the rules of names, fields and references\n';
  const last = problems.length < MAX_PROBLEMS ? '' : `these are the first ${MAX_PROBLEMS}\n`;
  return `${problems.join('\n')}\n${last}`;
}
