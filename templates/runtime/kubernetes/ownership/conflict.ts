import { KubernetesProblem } from '../status/problem';
import type { FieldOwner } from './field-owner';
import { pathOf } from './field-path';

/** A field that an apply changes and another manager owns. */
export interface Conflict {
  owner: FieldOwner;
  /** In the version of the request. */
  pointer: string;
}

/** Returns the problem of an apply that would change fields of others, with the words of kube-apiserver. */
export function applyConflict(apiVersion: string, conflicts: readonly Conflict[]): KubernetesProblem {
  const causes = conflicts.map(({ owner, pointer }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${named(owner, apiVersion)}`,
    field: pathOf(pointer),
  }));
  const byOwner = new Map<string, string[]>();
  for (const { owner, pointer } of conflicts) {
    const name = named(owner, apiVersion);
    const fields = byOwner.get(name) ?? [];
    fields.push(`- ${pathOf(pointer)}`);
    byOwner.set(name, fields);
  }
  const [{ message, field }] = causes;
  const list = [...byOwner].sort().map(([name, fields]) => [`conflicts with ${name}:`, ...fields].join('\n'));
  const text =
    causes.length === 1
      ? `1 conflict: ${message}: ${field}`
      : `${causes.length} conflicts: ${list.join('\n')}`;
  return new KubernetesProblem(409, `Apply failed with ${text}`, { causes });
}

function named({ manager, operation, part }: FieldOwner, apiVersion: string): string {
  const subresource = part === 'status' ? ' with subresource "status"' : '';
  const using = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${JSON.stringify(manager)}${subresource}${using}`;
}
