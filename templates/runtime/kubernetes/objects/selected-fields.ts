import type { FieldSelection } from '../../api/parts/event-reading';
import { notSelectable } from '../../api/reads/list-selection';
import type { Service } from '../../service/service';
import type { KubernetesCall } from '../face/face';

/** Returns what a request selects by fields; undefined without field selectors. Throws HttpProblem 400. */
export function selectedFields(
  { data }: Pick<Service, 'data'>,
  { kind, urlVersion, parameters }: KubernetesCall,
): FieldSelection | undefined {
  const fields = (parameters.get('fieldSelector') ?? []).filter((text) => text.trim() !== '');
  if (fields.length === 0) return undefined;
  if (kind.data === undefined || data === undefined) throw notSelectable(kind, 'fieldSelector');
  return data.fieldSelection(kind, urlVersion, fields);
}
