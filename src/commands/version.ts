import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '../cli';
import type { Outcome } from '../cli/outcome';

/** `svcgen version`. */
export async function run(_session: Session): Promise<Outcome> {
  const manifest = readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  return { exit: 0, text: `${version}\n`, more: { version } };
}
