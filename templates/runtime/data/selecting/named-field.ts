import type { KindDefinition } from '../../model/kinds/kind';
import type { SelectableField } from '../../model/kinds/kind-data';
import { HttpProblem } from '../../model/problem';
import { closest } from '../../model/suggest';

/** Returns the name of a field in selectors, sorts and expansions, such as `spec.price`. */
export function fieldName({ path }: Pick<SelectableField, 'path'>): string {
  return path.join('.');
}

/** A kind, and the version in whose words a request names its fields. */
export interface Words {
  kind: KindDefinition;
  version: string;
}

/** The use of a field in a request, for messages. */
interface Use extends Words {
  /** The query parameter. */
  parameter: 'fieldSelector' | 'sort' | 'expand';
  /** The fields that it is about, such as `selectable field`. */
  sort: string;
}

/** Returns the field of this name. Throws HttpProblem 400 that names those that there are. */
export function namedField<Field extends Pick<SelectableField, 'path'>>(
  name: string,
  fields: readonly Field[],
  { parameter, sort, kind, version }: Use,
): Field {
  const found = fields.find((field) => fieldName(field) === name);
  if (found !== undefined) return found;
  const names = fields.map(fieldName);
  const meant = closest(name, names);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  const known = names.length === 0 ? 'there is none' : `there are: ${names.join(', ')}`;
  throw new HttpProblem(
    400,
    `The query parameter "${parameter}": ${JSON.stringify(name.slice(0, 200))} is not a ${sort} of ${kind.kind} ` +
      `in ${version}; ${known}.${hint}`,
  );
}
