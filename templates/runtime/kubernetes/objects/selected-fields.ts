import { type FieldSelection, fieldSelectionOf } from '../../api/parts/event-reading';
import type { Service } from '../../service/service';
import type { KubernetesContext } from '../face/face';

/** Returns what a request selects by fields; undefined without field selectors. Throws HttpProblem 400. */
export function selectedFields(
  service: Pick<Service, 'data'>,
  { kind, urlVersion, parameters }: KubernetesContext,
): FieldSelection | undefined {
  const fields = (parameters.get('fieldSelector') ?? []).filter((text) => text.trim() !== '');
  return fields.length === 0 ? undefined : fieldSelectionOf(service, kind, urlVersion, fields);
}
