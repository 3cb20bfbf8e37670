import type { Failure } from '../problem';
import type { Resource } from '../resource';
import type { Json, JsonObject } from '../schema';

/** The two parts of a resource that have fields. */
export const PARTS = ['spec', 'status'] as const;

/** One of these parts. */
export type Part = (typeof PARTS)[number];

/** The parts of a resource that conversion reads and writes. */
export interface Body {
  spec: JsonObject;
  status: JsonObject;
}

/** Fields that are preserved for other versions of one resource, by version. */
export interface Preserved {
  [version: string]: object;
}

/** A resource in the hub version, and the fields preserved for other versions. */
export interface HubState {
  hub: Resource;
  preserved: Preserved;
}

/** The part of a row that its resource is made of. */
export interface StoredText {
  version: string;
  text: string;
  kept: string | null;
}

/** A resource in the form of one version. */
export interface Representation {
  text: string;
  /** Quoted, as the ETag header carries it. */
  etag: string;
}

/** The parts of a stored resource that its representations are made of; `revision` is absent before it is stored. */
export type Stored = StoredText & Pick<Representation, 'etag'> & { uid: string; revision?: number };

/** One part of a resource as a client wants it, in the version that it speaks. */
export interface PartWrite {
  version: string;
  part: Part;
  fields: JsonObject;
}

/** The result of a write through a version: the fields of the hub, and the fields that only the writing version has. */
export interface WrittenPart {
  fields: JsonObject;
  aside?: Json;
  /** The part as the client sent it, and as its converter got it; where exact fields are preserved for the version. */
  exact?: {
    sent: JsonObject;
    converted: JsonObject;
    /** True where the client sent back what the version reads, with the fields in any order: `sent` has that order. */
    isUnchanged: boolean;
  };
}

/** The version that wrote a part, and the fields that only this version has. */
export interface Writer extends Pick<WrittenPart, 'aside' | 'exact'> {
  version: string;
  part: Part;
}

/** The validation mode and the limits of a service. */
export interface Judge {
  definition: { validation: 'strict' | 'warn' | 'disabled' };
  settings: { MAX_PATTERN_STEPS: number; MAX_PATCHED_BYTES: number };
}

/**
 * Converts between the stored form of a kind's resources and the form of each version. A kind with one version stores
 * what it shows; `versions/` implements this for kinds with several.
 */
export interface VersioningOf<Kind> {
  /** Returns a stored resource in the hub version; one that an earlier hub wrote is converted. */
  hubStateOf(kind: Kind, stored: StoredText): HubState;
  /** Returns a resource as a version shows it. */
  shownIn(kind: Kind, state: HubState, version: string): Resource;
  /** Returns a stored resource as JSON text, as a version shows it. */
  represent(kind: Kind, stored: Stored, version: string): Representation;
  /** Returns a stored snapshot as JSON text, as a version shows it. */
  snapshotIn(kind: Kind, stored: StoredText, version: string): string;
  /**
   * Writes a part of a resource through a version. `before` is the stored resource, undefined on create. Throws
   * HttpProblem 400 with pointers into the document of that version.
   */
  writeThrough(
    judge: Judge,
    kind: Kind,
    write: PartWrite,
    before: HubState | undefined,
    warnings: string[],
  ): WrittenPart;
  /**
   * Returns the failures that a write through a version would have after `failures`, those of its own rules: it cannot
   * be converted, or breaks a rule of the hub. What follows from the failures of a field is left out.
   */
  laterFailures(
    judge: Judge,
    kind: Kind,
    write: PartWrite,
    before: HubState | undefined,
    failures: readonly Failure[],
  ): Failure[];
  /** Returns what is preserved after a write. */
  preservedAfter(kind: Kind, before: HubState | undefined, after: Resource, writer: Writer): Preserved;
  /** Returns the preserved fields of the spec, which snapshots include. */
  preservedOfSpec(preserved: Preserved): Preserved;
  /** Returns whether every version reads the same spec of two states of a resource whose hub has the same. */
  readsSameSpec(kind: Kind, before: HubState, after: HubState): boolean;
  /**
   * Returns the pointer into the document of a version for one into the hub's, or for its nearest parent. With the documents
   * it is exact where an element is found by its key.
   */
  pointerIn(kind: Kind, version: string, hubPointer: string, documents?: { hub: Body; spoke: Body }): string;
  /** Returns the pointers of the hub's fields that a field of a rule over several of a version comes from. */
  wholesOf(kind: Kind, version: string, pointer: string): string[];
  /** Returns a string that changes with the rules and fields of a version; undefined for the hub. */
  rulesOf(kind: Kind, version: string): string | undefined;
  /** Returns a predicate for the failures of a write: true for a field that the rules of the version supply. */
  suppliedIn(kind: Kind, write: PartWrite): (failure: Failure) => boolean;
}
