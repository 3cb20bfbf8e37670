import type { ResourceIndex } from '../indexes';
import type { NewIndexes } from './store-indexes';

/** Returns those entries that are in new indexes. */
export function newAmong(index: ResourceIndex, { fields, unique, references }: NewIndexes): ResourceIndex {
  return {
    fields: index.fields.filter((entry) => fields.includes(entry.index)),
    unique: index.unique.filter((entry) => unique.includes(entry.index)),
    references: index.references.filter(({ field }) => references.includes(field)),
  };
}
