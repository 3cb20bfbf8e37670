import type { LifecyclePart } from '../../api/writes/lifecycle-part';
import { finalizerFailures, newFinalizers, readFinalizers } from './finalizers';
import { ownerFailures, readOwners } from './owner-references';

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
