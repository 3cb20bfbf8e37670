import { ApiError } from '../../../../templates/client/errors';
import { isEmpty, object } from '../../../../templates/runtime/model/fields/members';
import { same } from '../../../../templates/runtime/model/fields/values';
import type { Collection, Tagged } from '../../data/api';
import { type Draft, readResource, type WriteOptions } from '../../data/resource';
import type { Subject } from './subject';
import type { WorkOnBase } from './unsaved';

/** The result of saving: the new state, or the state that somebody else has written meanwhile. */
export type Saved = { saved: Tagged } | { theirs: Tagged };

/** Attempts to save while only other parts change. */
const MOST_ATTEMPTS = 5;

/**
 * Saves a draft over the state that it was made from; with `dryRun` it only tries. A write of other parts, such as the
 * status under a spec, does not count as a change by somebody else. A draft that is already stored, by a save whose
 * response was lost for example, counts as saved.
 */
export async function saveOver(
  collection: Collection,
  { save, draftOf }: Subject,
  { base: from, draft }: WorkOnBase,
  options?: WriteOptions,
): Promise<Saved> {
  let base = from;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    try {
      return { saved: await save(collection, base, draft, options) };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
    }
    const theirs = await readResource(collection, base.resource.metadata.uid, options?.signal);
    if (sameDraft(draftOf(theirs.resource), draft)) return { saved: theirs };
    if (!sameDraft(draftOf(theirs.resource), draftOf(base.resource))) return { theirs };
    base = theirs;
  }
  return { theirs: base };
}

/** Returns whether two drafts say the same; labels that are empty count as absent. */
export function sameDraft(one: Draft, other: Draft): boolean {
  return same(withoutEmpty(one), withoutEmpty(other));
}

function withoutEmpty({ metadata, ...parts }: Draft): Draft {
  if (metadata === undefined) return parts;
  const { labels = {}, annotations = {}, ...rest } = object(metadata);
  return {
    ...parts,
    metadata: {
      ...rest,
      ...(!isEmpty(object(labels)) && { labels }),
      ...(!isEmpty(object(annotations)) && { annotations }),
    },
  };
}
