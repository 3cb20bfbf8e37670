import type { Expansion } from '../../api/reads/expansion';
import { type Frame, type Pieces, sendArray } from '../../api/reads/json-array';
import { ListMemory } from '../../api/reads/list-memory';
import { refuseConditions, withAllowed } from '../../api/reads/reading';
import { represent } from '../../api/reads/representation';
import { untaggedHeaders } from '../../api/request/caching';
import { storedCost } from '../../http/request/json-body';
import type { Resource } from '../../model/resource';
import type { StoredResource } from '../../store/store';
import { lengthOf } from '../../store/stored-resource';
import { targetsOf, valueAt } from '../plan/entries';
import type { KindPlan, ReferencePlan } from '../plan/kind-plan';
import { ExpandedTargets, type Expanding, References } from './expanded-targets';
import { fieldName, namedField } from './named-field';

/** A reference field as a version names it. */
type ExpandedField = Pick<ReferencePlan, 'path' | 'isList' | 'target'>;

/**
 * Returns the expansion of references in the words of a version. Throws HttpProblem 400 for a field that is no reference in
 * it.
 */
export function expandedReferences(
  expanding: Expanding,
  plan: KindPlan,
  names: readonly string[],
): Expansion {
  const { version } = expanding;
  const fields = referencesIn(plan, version);
  const use = { kind: plan.kind, version, parameter: 'expand', sort: 'reference' } as const;
  const expanded = names.map((name) => namedField(name, fields, use));
  const expansion: Expansion = {
    kinds: expanded.map(({ target }) => target),
    texts: (rows, memory) => texts(expanding, expanded, rows, memory),
    show: () => showExpanded(expanding, expansion),
  };
  return expansion;
}

/** Returns the references that a version can name, with their paths in it. */
function referencesIn({ kind, data, references }: KindPlan, version: string): ExpandedField[] {
  const selectable = data.selectable?.[version] ?? [];
  return references.flatMap(({ field, path, isList, target }) => {
    if (version === kind.storageVersion) return { path, isList, target };
    const own = selectable.find(({ reference }) => reference === field);
    return own === undefined ? [] : { path: own.path, isList, target };
  });
}

/** Memory of a reference while a response is sent, in bytes. */
const REFERENCE = 32;

async function* texts(
  expanding: Expanding,
  fields: readonly ExpandedField[],
  rows: readonly StoredResource[],
  memory: ListMemory,
): Pieces {
  const { kind } = expanding.context;
  const found = await readReferences(expanding, fields, rows);
  const references = new References();
  for (const ofRow of found)
    for (const [index, ofField = []] of ofRow.entries()) references.add(fields[index].target, ofField);
  const length = rows.reduce((sum, row) => sum + lengthOf(row), REFERENCE * references.count);
  const targets = new ExpandedTargets(expanding, references, { memory, length });
  for (const [index, row] of rows.entries()) {
    const { text } = represent(kind, row, expanding.version);
    yield { joined: `${text.slice(0, -1)},"expanded":{`, isOpen: true };
    yield* members(fields, found[index], targets);
    yield { joined: '}}' };
  }
}

/** The references of one resource, by the number of their field; undefined for an absent field. */
type ReferencesByField = (string[] | undefined)[];

/** Reads the references of resources, which are parsed for it one after the other. */
async function readReferences(
  { service, context, version }: Expanding,
  fields: readonly ExpandedField[],
  rows: readonly StoredResource[],
): Promise<ReferencesByField[]> {
  const found: ReferencesByField[] = [];
  for (const row of rows) {
    const references = await service.memory.spend('stored', context.res, {
      read: () => row,
      cost: storedCost,
      action: () => {
        const shown = JSON.parse(represent(context.kind, row, version).text) as Resource;
        return fields.map((field) => referencesOf(field, shown));
      },
    });
    found.push(references);
  }
  return found;
}

function referencesOf(field: ExpandedField, shown: Resource): string[] | undefined {
  return valueAt(shown, field.path) === undefined ? undefined : targetsOf(field, shown);
}

/** Yields the members of `expanded` of one resource. A reference whose target is not shown has none. */
async function* members(
  fields: readonly ExpandedField[],
  references: ReferencesByField,
  targets: ExpandedTargets,
): Pieces {
  let separator = '';
  for (const [index, wanted] of references.entries()) {
    if (wanted === undefined) continue;
    const name = `${separator}${JSON.stringify(fieldName(fields[index]))}:`;
    if (fields[index].isList) {
      yield { joined: `${name}[`, isOpen: true };
      yield* elements(wanted.length, targets);
      yield { joined: ']', isOpen: true };
    } else {
      const text = wanted.length === 0 ? undefined : await targets.next();
      if (text === undefined) continue;
      yield { joined: name + text, isOpen: true };
    }
    separator = ',';
  }
}

async function* elements(count: number, targets: ExpandedTargets): Pieces {
  let separator = '';
  for (let index = 0; index < count; index++) {
    const text = await targets.next();
    if (text === undefined) continue;
    yield { joined: separator + text, isOpen: true };
    separator = ',';
  }
}

/** The frame of an element that is sent without an array. */
const ALONE: Frame = { start: '', separator: '', end: () => '' };

/** Sends a resource with the targets of its references. It depends on them too, so it has no tag and is never 304. */
async function showExpanded({ service, context, version }: Expanding, expansion: Expansion): Promise<void> {
  const { res } = context;
  const stored = await withAllowed(service, context, 'canGet', (allowed) => allowed);
  refuseConditions(context, stored, version);
  const headers = untaggedHeaders(service, context, expansion.kinds);
  const memory = new ListMemory(service, res);
  await memory.reserve(2 * lengthOf(stored));
  await sendArray(context, expansion.texts([stored], memory), headers, memory, ALONE);
}
