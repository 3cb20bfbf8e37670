import { HttpProblem, type Failure } from '../problem';
import type { Json, JsonObject } from '../schema';
import { update, type Lens } from './lens';
import { below, object, unlessEmpty } from './values';

/** What conversion sees of a resource. */
export interface Body {
  spec: JsonObject;
  status: JsonObject;
}

/** What is stored of a resource: the hub's object, and what one spoke keeps aside. */
export interface Stored {
  hub: Body;
  kept: Json | undefined;
}

/**
 * Conversion between the hub and one spoke. Arguments are as validation leaves them: nulls in declared fields
 * removed, the defaults of their version filled in. Results share structure with the arguments.
 */
export interface SpokeConverter {
  /** Stands for the rules and the fields that it was made of: other ones have another. */
  rules?: string;
  /** Reads the hub through the spoke. It never throws for a valid hub object. */
  fromHub(hub: Body, kept: Json | undefined): Body;
  /**
   * Writes what a client sent through the spoke; `stored` is undefined on create. The hub's defaults are still to
   * be filled in. Throws ConversionFailure with pointers into the spoke's document; with `failures` they are put
   * there, and what cannot be converted is kept aside alone.
   */
  toHub(spoke: Body, stored: Stored | undefined, failures?: Failure[]): Stored;
  /** After a write through another version: what this spoke keeps aside of the new object. */
  carry(before: Body, after: Body, kept: Json | undefined): Json | undefined;
  /**
   * The pointer in the spoke's document of a pointer in the hub's, or of the nearest thing around it. With the
   * documents it is exact where an element is found by its key.
   */
  toSpokePointer(hubPointer: string, documents?: { hub: Body; spoke: Body }): string;
}

/** What a client sent cannot be converted: 400, with a pointer into the spoke's document for each failure. */
export class ConversionFailure extends HttpProblem {
  constructor(readonly failures: Failure[]) {
    super(400, 'The resource cannot be converted to the storage version.', { errors: failures });
    this.name = 'ConversionFailure';
  }
}

const parts = ['spec', 'status'] as const;

/** The converter of a spoke from the lenses of its spec and its status; `rules` stands for what they were made of. */
export function converterOf(lenses: { spec: Lens; status: Lens }, rules?: string): SpokeConverter {
  const fromHub = (hub: Body, kept: Json | undefined): Body => ({
    spec: object(lenses.spec.get(hub.spec, object(kept).spec)),
    status: object(lenses.status.get(hub.status, object(kept).status)),
  });
  return {
    rules,
    fromHub,
    toHub(spoke, stored, tolerated) {
      const failures = tolerated ?? [];
      const read = stored && fromHub(stored.hub, stored.kept);
      const [spec, status] = parts.map((part) =>
        update(
          lenses[part],
          spoke[part],
          read?.[part],
          stored?.hub[part],
          object(stored?.kept)[part],
          `/${part}`,
          failures,
        ),
      );
      if (tolerated === undefined && failures.length > 0) throw new ConversionFailure(failures);
      const kept: JsonObject = {};
      if (spec.kept !== undefined) kept.spec = spec.kept;
      if (status.kept !== undefined) kept.status = status.kept;
      return { hub: { spec: object(spec.hub), status: object(status.hub) }, kept: unlessEmpty(kept) };
    },
    carry(before, after, kept) {
      const next: JsonObject = {};
      for (const part of parts) {
        const aside = object(kept)[part];
        const carried = aside && lenses[part].carry(before[part], after[part], aside);
        if (carried !== undefined) next[part] = carried;
      }
      return unlessEmpty(next);
    },
    toSpokePointer(hubPointer, documents) {
      const [part, ...path] = hubPointer
        .split('/')
        .slice(1)
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
      if (part !== 'spec' && part !== 'status') return hubPointer;
      const steps = lenses[part].locate(path, documents?.hub[part], documents?.spoke[part]);
      return steps.reduce(below, `/${part}`);
    },
  };
}
