import { selectableIn } from '../../templates/runtime/data/plan/kind-plan';
import type { KindData } from '../../templates/runtime/model/kinds/kind-data';
import { codeSpans } from '../code/markdown';
import type { JsonObject } from '../model/project';
import { referencesIn } from '../plan/kind-data';
import { parameter } from './components';
import type { Address } from './kind-components';

const CREATED_AT = 'metadata.createdAt';

/** Returns the query parameters of lists that a kind's selectable fields and references add on one of its URLs. */
export function listParameters(data: KindData, { versions }: Address): JsonObject[] {
  const fields = new Map(
    versions
      .flatMap((version) => selectableIn(data, version))
      .map((field) => [field.path.join('.'), field] as const),
  );
  if (fields.size === 0) return [];
  const sortable = [...fields].filter(([, { isList }]) => !isList).map(([name]) => name);
  const orders = sortable.flatMap((name) => [name, `-${name}`]);
  const newest = orders
    .filter((order) => !order.endsWith(CREATED_AT))
    .map((order) => `${order},-${CREATED_AT}`);
  return [
    parameter(
      'query',
      'fieldSelector',
      'Only resources whose fields match: `f=v`, `f!=v`, `f>v`, `f>=v`, `f<v`, `f<=v`, `f in (a,b)`, `f notin (a,b)`, `f`, `!f`, ' +
        `joined by \`,\`. If repeated, all must hold. The fields${inWords(versions)}: ${codeSpans([...fields.keys()])}.`,
      { type: 'array', items: { type: 'string' } },
    ),
    parameter(
      'query',
      'sort',
      `The order of the list: a field, descending with \`-\`. Absent values come last. Resources with the same value are in order of creation, or newest first with \`,-${CREATED_AT}\`.`,
      { type: 'string', enum: [...orders, ...newest] },
    ),
  ];
}

/** Returns the query parameter that adds the targets of references. */
export function expandParameter(data: KindData, storageVersion: string, { versions }: Address): JsonObject[] {
  const references = versions.flatMap((version) => referencesIn(data, storageVersion, version));
  const names = references.map(({ path }) => path.join('.'));
  if (names.length === 0) return [];
  return [
    parameter(
      'query',
      'expand',
      'The references whose targets are added as `expanded`, separated by commas: ' +
        `${codeSpans([...new Set(names)])}. The response has no \`ETag\`.`,
    ),
  ];
}

/** Returns whether writes of a kind can clash with other resources. */
export function canClash({ uniqueNames, isReferable, unique, references }: KindData): boolean {
  return (uniqueNames ?? isReferable ?? false) || unique !== undefined || references !== undefined;
}

function inWords(versions: string[]): string {
  return versions.length > 1 ? ', by the names of the requested version' : '';
}

/** Returns whether resources of a kind are selected by fields. */
export function isSelected(data: KindData | undefined): boolean {
  return data?.uniqueNames === true || data?.selectable !== undefined;
}
