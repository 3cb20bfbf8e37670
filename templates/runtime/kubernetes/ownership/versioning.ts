import type { KindDefinition } from '../../model/kinds/kind';
import type { HubState, Preserved, Versioning } from '../../model/kinds/versioning';
import { type FieldOwner, hasOwners, ownersIn, withOwners } from './field-owner';
import { Places } from './places';

/** Returns a versioning that also moves the owners of fields, where a resource was stored under an earlier hub. */
export function owning(versioning: Versioning): Versioning {
  return {
    ...versioning,
    hubStateOf(kind, stored) {
      const state = versioning.hubStateOf(kind, stored);
      if (stored.version === kind.storageVersion || !hasOwners(stored)) return state;
      return { hub: state.hub, preserved: moved(kind, state, stored.version) };
    },
  };
}

/** Returns preserved fields whose owners have ids of the present hub. `from` is the hub of their present ids. */
function moved(kind: KindDefinition, state: HubState, from: string): Preserved {
  const owners = ownersIn(state)?.map((owner) => {
    const fields = Object.keys(kind.versions).flatMap((version) => {
      const start = version === from ? '' : version;
      const ids = [...owner.fields].filter((id) => id.startsWith(`${start}/`));
      if (ids.length === 0) return [];
      const pointers = new Set(ids.map((id) => id.slice(start.length)));
      return new Places(kind, state, version, owner.part).idsOf(pointers);
    });
    return { ...owner, fields: new Set(fields) } satisfies FieldOwner;
  });
  return withOwners(state, owners);
}
