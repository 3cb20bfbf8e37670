import { type FieldSelection, fieldSelectionOf } from '../../api/parts/event-reading';
import { type ListSelection, selectionOf } from '../../api/reads/list-selection';
import { parseSelectors } from '../../model/selectors/selector';
import { type KubernetesContext, parameter } from '../face/face';
import { badRequest, invalidOption, KubernetesProblem } from '../status/problem';
import { listRevision, positionAt } from './revision';

/** Part of a list as a client asks for it. */
export interface Asked extends ListSelection {
  limit: number;
  /** The revision of the first page, which all pages have. */
  revision: string;
}

/** Reads the parameters of a list. Throws HttpProblem 400. */
export async function askedPart(context: KubernetesContext): Promise<Asked> {
  const { revision, cursor } = continuationOf(context);
  checkListRevision(context);
  const { selection, limit } = selected(context, cursor);
  return { ...selection, limit, revision: revision ?? (await listRevision(context.service)) };
}

/** Reads the token of a page: the revision of its list, and the place where it begins. Throws a problem 400. */
export function continuationOf(context: KubernetesContext): { revision?: string; cursor?: string } {
  const token = parameter(context, 'continue') || undefined;
  const [, revision, cursor] = /^(\d+)\.(.+)$/.exec(token ?? '') ?? [];
  if (token !== undefined && cursor === undefined) throw badRequest('continue key is not valid');
  return { revision, cursor };
}

/** Returns a number of the query; undefined for 0, and where there is none. Throws a problem 400. */
export function numberOf(context: KubernetesContext, name: string): number | undefined {
  const given = parameter(context, name) || '0';
  if (!/^\d{1,15}$/.test(given)) throw badRequest(`invalid ${name}: ${JSON.stringify(given.slice(0, 64))}`);
  return Number(given) || undefined;
}

/** Returns what a request selects, in the order of names. Throws HttpProblem 400. */
export function selected(
  context: KubernetesContext,
  cursor?: string,
): { selection: ListSelection; limit: number } {
  const { service, kind, urlVersion, parameters } = context;
  const selector = parseSelectors(parameters.get('labelSelector'));
  const given = numberOf(context, 'limit');
  const limit = given === undefined ? Infinity : Math.min(given, service.settings.MAX_PAGE_SIZE);
  const fieldSelectors = parameters.get('fieldSelector') ?? [];
  const selection = selectionOf(service, kind, urlVersion, {
    selector,
    fieldSelectors,
    sort: 'metadata.name',
    cursor,
  });
  return { selection, limit };
}

/** Returns what a request selects by fields; undefined without field selectors. Throws HttpProblem 400. */
export function selectedFields(context: KubernetesContext): FieldSelection | undefined {
  const { service, kind, urlVersion, parameters } = context;
  const fields = (parameters.get('fieldSelector') ?? []).filter((text) => text.trim() !== '');
  return fields.length === 0 ? undefined : fieldSelectionOf(service, kind, urlVersion, fields);
}

/** The relations of a list to a revision that clients may ask for. */
const MATCHES = ['Exact', 'NotOlderThan'];

/**
 * Checks the revision that a list is asked for. A list shows the present state, which is not older than any revision. Throws a
 * problem 400 or 422, and 410 for the exact state at a revision: earlier states are not retained.
 */
function checkListRevision(context: KubernetesContext): void {
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
