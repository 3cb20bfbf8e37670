import { type Failure, MAX_FAILURES } from '../problem';
import type { Json } from '../schema';
import type { Body } from './versioning-of';

/** The stored form of a resource: the hub's object, and the preserved fields of one spoke. */
interface Stored {
  hub: Body;
  kept: Json | undefined;
  /** True for a status that has only its defaults so far: a write of it makes it, as a create makes the spec. */
  isFirstStatus?: boolean;
}

/** The failures of a conversion. */
export interface Failures {
  /** At most as many as a response has room for. */
  found: Failure[];
  /**
   * Pointers of fields that have failed before the conversion. A rule over several fields is not applied to them, and
   * adds the pointer that stands for all of its fields.
   */
  earlier?: string[];
}

/** Adds a failure of a conversion, as far as a response has room for it: each element of a long list may have one. */
export function addFailure({ found }: Failures, failure: Failure): void {
  if (found.length < MAX_FAILURES) found.push(failure);
}

/**
 * Conversion between the hub and one spoke. Arguments are as validation returns them: nulls in declared fields removed,
 * the defaults of their version filled in. Results share structure with the arguments.
 */
export interface SpokeConverter {
  /** Identifies the rules and the fields that the converter was made of: it changes with them. */
  rules?: string;
  /** Parts that are the same in both versions. */
  copies?: { spec: boolean; status: boolean };
  /** Reads the hub through the spoke. It never throws for a valid hub object. */
  fromHub(hub: Body, kept: Json | undefined): Body;
  /**
   * Writes a client's object through the spoke; `stored` is undefined on create. The hub's defaults are still to be
   * filled in. Throws ConversionFailure with pointers into the spoke's document. With `failures` they are added there
   * instead, and unconvertible fields are only preserved.
   */
  toHub(spoke: Body, stored: Stored | undefined, failures?: Failures): Stored;
  /** Returns the preserved fields of this spoke for the new object, after a write through another version. */
  carry(before: Body, after: Body, kept: Json | undefined): Json | undefined;
  /**
   * Returns the pointer in the spoke's document for a pointer in the hub's, or for its nearest parent. With the
   * documents it is exact where an element is found by its key.
   */
  toSpokePointer(hubPointer: string, documents?: { hub: Body; spoke: Body }): string;
  /** Returns the pointers of the hub's fields that a field of a rule over several comes from; none for any other field. */
  wholesOf(spokePointer: string): string[];
}
