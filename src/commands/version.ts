import { manifest } from '../files/package-root';
import type { Session } from './session';
import type { Outcome } from './session';

/** `svcgen version`. */
export async function run(_session: Session): Promise<Outcome> {
  const { version } = manifest();
  return { exit: 0, text: `${version}\n`, more: { version } };
}
