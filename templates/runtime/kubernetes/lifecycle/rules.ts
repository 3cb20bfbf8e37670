import type { LifecyclePart } from '../../api/writes/lifecycle-part';
import { type Failure, wrongType } from '../../model/problem';
import type { Json } from '../../model/schema';
import { ownerFailures, readOwners } from './owner-references';
import { isQualifiedName, QUALIFIED_NAME } from './qualified-name';

/** Finalizers and owner references, by the rules of a kube-apiserver. */
export const lifecycle: Omit<LifecyclePart, 'postpone'> = {
  members: ['finalizers', 'ownerReferences', 'deletionTimestamp'],
  read(metadata, failures) {
    const finalizers = readFinalizers(metadata['finalizers'], failures);
    const ownerReferences = readOwners(metadata['ownerReferences'], failures);
    return { ...(finalizers && { finalizers }), ...(ownerReferences && { ownerReferences }) };
  },
  failuresOf: ({ finalizers = [], ownerReferences = [] }, stored) => [
    ...finalizerFailures(finalizers),
    ...(stored?.deletionTimestamp === undefined ? [] : newFinalizers(finalizers, stored.finalizers)),
    ...ownerFailures(ownerReferences),
  ],
  holds: ({ finalizers = [] }) => finalizers.length > 0,
  completes: ({ deletionTimestamp, finalizers = [] }) =>
    deletionTimestamp !== undefined && finalizers.length === 0,
};

const MEMBER = '/metadata/finalizers';

/** Maximum number of finalizers of a resource. */
const MOST = 100;

/** Reads finalizers that a client sent; undefined where there are none. A list of anything but strings is a failure. */
function readFinalizers(value: Json | undefined, failures: Failure[]): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  failures.push(wrongType(MEMBER, 'a list of strings'));
  return undefined;
}

/** Returns the failures of finalizers with names of another form. */
function finalizerFailures(finalizers: readonly string[]): Failure[] {
  if (finalizers.length > MOST) {
    const detail = `a resource may have ${MOST} finalizers, not ${finalizers.length}`;
    return [{ pointer: MEMBER, rule: `maxItems=${MOST}`, detail }];
  }
  return finalizers.flatMap((name, index) =>
    isQualifiedName(name) ? [] : [{ pointer: `${MEMBER}/${index}`, rule: 'name', detail: QUALIFIED_NAME }],
  );
}

/** Returns the failure of finalizers that are added to a resource that is being deleted. */
function newFinalizers(finalizers: readonly string[], stored: readonly string[] = []): Failure[] {
  const added = finalizers.filter((name) => !stored.includes(name));
  if (added.length === 0) return [];
  const names = added.map((name) => JSON.stringify(name)).join(', ');
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${names}}`;
  return [{ pointer: MEMBER, rule: 'forbidden', detail }];
}
