import { type KubernetesContext, parameter } from '../face/face';
import { invalidOption, KubernetesProblem } from '../status/problem';
import { positionAt } from './revision';

/** The relations of a list to a revision that clients may ask for. */
const MATCHES = ['Exact', 'NotOlderThan'];

/**
 * Checks the revision that a list is asked for. A list shows the present state, which is not older than any revision. Throws a
 * problem 400 or 422, and 410 for the exact state at a revision: earlier states are not retained.
 */
export function checkListRevision(context: KubernetesContext): void {
  const revision = parameter(context, 'resourceVersion') || '';
  const match = parameter(context, 'resourceVersionMatch') || '';
  if (revision !== '' && revision !== '0') positionAt(revision);
  if (match === '') return;
  if (revision === '')
    throw forbiddenMatch('resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (parameter(context, 'continue'))
    throw forbiddenMatch('resourceVersionMatch is forbidden when continue is provided');
  if (!MATCHES.includes(match)) {
    const values = MATCHES.map((each) => JSON.stringify(each)).join(', ');
    const given = JSON.stringify(match.slice(0, 64));
    throw invalidMatch('NotSupported', `Unsupported value: ${given}: supported values: ${values}`);
  }
  if (match !== 'Exact') return;
  if (revision === '0')
    throw forbiddenMatch('resourceVersionMatch "Exact" is forbidden for resourceVersion "0"');
  throw new KubernetesProblem(
    410,
    'The resourceVersion for the provided list is too old: the service retains no earlier states.',
  );
}

/** Returns the problem of a `resourceVersionMatch` that other parameters forbid or demand. */
export function forbiddenMatch(why: string): KubernetesProblem {
  return invalidMatch('Forbidden', `Forbidden: ${why}`);
}

function invalidMatch(reason: 'Forbidden' | 'NotSupported', message: string): KubernetesProblem {
  return invalidOption('ListOptions', 'resourceVersionMatch', reason, message);
}
