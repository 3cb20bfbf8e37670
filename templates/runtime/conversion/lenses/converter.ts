import { object, unlessEmpty } from '../../model/fields/members';
import { below, pointerKeys } from '../../model/fragment';
import { type Failure, HttpProblem } from '../../model/problem';
import type { Json, JsonObject } from '../../model/schema';
import type { SpokeConverter } from '../../model/versions/spoke-converter';
import { type Body, PARTS } from '../../model/versions/versioning-of';
import { copy, type Lens, update } from './lens';

/** A client's object cannot be converted: 400, with a pointer into the spoke's document for each failure. */
export class ConversionFailure extends HttpProblem {
  constructor(readonly failures: Failure[]) {
    super(400, 'The resource cannot be converted to the storage version.', { errors: failures });
    this.name = 'ConversionFailure';
  }
}

/**
 * Makes the converter of a spoke from the lenses of its spec and its status; `rules` identifies the rules that they
 * were made of.
 */
export function converterOf(lenses: { spec: Lens; status: Lens }, rules?: string): SpokeConverter {
  const fromHub = (hub: Body, kept: Json | undefined): Body => ({
    spec: object(lenses.spec.get(hub.spec, object(kept).spec)),
    status: object(lenses.status.get(hub.status, object(kept).status)),
  });
  return {
    rules,
    copies: { spec: lenses.spec === copy, status: lenses.status === copy },
    fromHub,
    toHub(spoke, stored, tolerated) {
      const failures = tolerated ?? { found: [] };
      const read = stored && fromHub(stored.hub, stored.kept);
      const [spec, status] = PARTS.map((part) => {
        const [hub, kept, at] = [stored?.hub[part], object(stored?.kept)[part], `/${part}`];
        if (part === 'status' && stored?.isFirstStatus === true && read !== undefined) {
          const old = { hub: stored.hub.status, kept, read: read.status, isUnwritten: true };
          return lenses.status.put(spoke.status, old, at, failures);
        }
        return update(lenses[part], spoke[part], read?.[part], hub, kept, at, failures);
      });
      if (tolerated === undefined && failures.found.length > 0) throw new ConversionFailure(failures.found);
      const kept: JsonObject = {};
      if (spec.kept !== undefined) kept.spec = spec.kept;
      if (status.kept !== undefined) kept.status = status.kept;
      return { hub: { spec: object(spec.hub), status: object(status.hub) }, kept: unlessEmpty(kept) };
    },
    carry(before, after, kept) {
      const next: JsonObject = {};
      for (const part of PARTS) {
        const carried = lenses[part].carry(before[part], after[part], object(kept)[part]);
        if (carried !== undefined) next[part] = carried;
      }
      return unlessEmpty(next);
    },
    toSpokePointer(hubPointer, documents) {
      const [part, ...path] = pointerKeys(hubPointer);
      if (part !== 'spec' && part !== 'status') return hubPointer;
      const steps = lenses[part].locate(path, documents?.hub[part], documents?.spoke[part]);
      return steps.reduce(below, `/${part}`);
    },
    wholesOf(spokePointer) {
      const part = PARTS.find((each) => spokePointer.startsWith(`/${each}/`));
      if (part === undefined) return [];
      const wholes = lenses[part].wholes?.[spokePointer.slice(part.length + 1)] ?? [];
      return wholes.map((pointer) => `/${part}${pointer}`);
    },
  };
}
