import { manifest } from '../files/package-root';
import type { Outcome, Session } from './session';

/** `svcgen version`. */
export async function run(_session: Session): Promise<Outcome> {
  const { version } = manifest();
  return { exit: 0, text: `${version}\n`, more: { version } };
}
