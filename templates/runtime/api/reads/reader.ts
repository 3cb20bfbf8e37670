import { collectionOf, type KindDefinition } from '../../model/kinds/kind';
import type { ReadOptions, ReadQuery, ResourceReader } from '../../model/kinds/reader';
import { hubStateOf, versioningOf } from '../../model/kinds/versioning';
import { parseSelector, type Requirement } from '../../model/selectors/selector';
import type { Service } from '../../service/service';
import type { StoredResource } from '../../store/store';
import { inScope } from '../request/label-scope';
import { listRows } from './list-rows';
import { selectionOf } from './list-selection';
import { findStored } from './reading';

/** The caller that a reader is bound to. */
interface Viewpoint {
  /** The group of kinds that are named without one. */
  group: string;
  /** The API version that the caller speaks. */
  version: string;
  scope: Requirement[];
}

/** Returns the reader of a caller. */
export function readerOf(service: Service, caller: Viewpoint): ResourceReader {
  const { store, settings, kinds } = service;
  const kindOf = async (name: string): Promise<KindDefinition> => {
    const found = await kinds.find(name.includes('/') ? name : `${caller.group}/${name}`);
    if (found === undefined) throw new Error(`there is no kind ${JSON.stringify(name)} to read`);
    return found;
  };
  const versionOf = (kind: KindDefinition, { version = caller.version }: ReadOptions): string =>
    kind.servedVersions.includes(version) ? version : kind.storageVersion;
  const shown = <R>(kind: KindDefinition, stored: StoredResource, options: ReadOptions): R =>
    versioningOf(kind).shownIn(kind, hubStateOf(kind, stored), versionOf(kind, options)) as R;
  return {
    async get<R>(name: string, uidOrName: string, options: ReadOptions = {}) {
      const kind = await kindOf(name);
      const stored = await findStored(service, kind, uidOrName);
      if (stored === undefined || !inScope(hubStateOf(kind, stored).hub.metadata, caller.scope))
        return undefined;
      return shown<R>(kind, stored, options);
    },
    async list<R>(name: string, query: ReadQuery = {}) {
      const { labelSelector = '', fieldSelector, sort, limit = settings.MAX_PAGE_SIZE } = query;
      const kind = await kindOf(name);
      const { query: selected } = selectionOf(service, kind, versionOf(kind, query), {
        selector: parseSelector(labelSelector),
        fieldSelectors: fieldSelector === undefined ? [] : [fieldSelector],
        sort,
      });
      const selector = [...selected.selector, ...caller.scope];
      const found: R[] = [];
      for await (const rows of listRows(store, collectionOf(kind), { ...selected, limit, selector }))
        found.push(...rows.map((row) => shown<R>(kind, row, query)));
      return found;
    },
  };
}
