import type { OwnedWrite } from '../../api/writes/field-owners';
import { type FieldManager, LONGEST_MANAGER } from '../../controllers/field-manager';
import { actorOf } from '../../http/security/actor';
import { isVacant } from '../../model/fields/values';
import type { KindDefinition } from '../../model/kinds/kind';
import { type Part, PARTS, type Preserved } from '../../model/kinds/versioning';
import { HttpProblem } from '../../model/problem';
import type { Service } from '../../service/service';
import { applyConflict, type Conflict } from './conflict';
import { type FieldOwner, isSameOwner, ownersIn, timeOf, withOwners } from './field-owner';
import { fieldsOf } from './fields';
import { LAST_APPLIED, notesLastApplied } from './last-applied';
import { sentOwners } from './managed-fields';
import { Places, wholesOf, withWholes } from './places';

/** The name of the manager of what is written through the plain API by a caller without an actor. */
const PLAIN = 'http';

/** The manager of what a resource had when it was first applied, if nobody had noted its owners. */
const BEFORE_FIRST_APPLY = 'before-first-apply';

/**
 * Returns what is preserved after a write, with the owners of fields, by the rules of Kubernetes. A resource that was written
 * before owners were noted gets them when it is first applied. Throws HttpProblem: 409 where others own what is applied, 413
 * where too many managers apply.
 */
export function ownersAfter(
  service: Pick<Service, 'now' | 'settings'>,
  kind: KindDefinition,
  write: OwnedWrite,
): Preserved {
  const { version, part, sent, before, resource, preserved } = write;
  const after = { hub: resource, preserved };
  const manager = managerOf(write);
  const time = timeOf(service.now());
  const noted = ownersBefore(kind, write, manager, time);
  if (noted === undefined) return withOwners(after, undefined);
  const [was, is] = [
    before && new Places(kind, before, version, part),
    new Places(kind, after, version, part),
  ];
  const known = currentOwners(noted, part, was);
  const changed = is.changedSince(was);
  // It changes for its owner, too.
  if (notesLastApplied(manager)) changed.delete(LAST_APPLIED);
  const gone = is.goneSince(was);
  const role = { manager: manager.name, operation: manager.applied ? 'Apply' : 'Update', part } as const;
  const mine = known.find((owner) => isSameOwner(owner, role)) ?? {
    ...role,
    time,
    fields: new Set<string>(),
  };
  const others = known.filter((owner) => owner !== mine);
  if (manager.applied?.force === false && was !== undefined)
    refuseConflicts(
      `${kind.group}/${version}`,
      others.map((owner) => ({ ...owner, fields: new Set(withWholes(kind, version, owner.fields)) })),
      [is, changed],
      [was, gone],
    );
  const stays = [...mine.fields].filter((id) => !gone.has(id) && (!manager.applied || !is.shows(id)));
  const written = manager.applied
    ? is.idsOf(fieldsOf(kind, version, manager.applied.wanted, part))
    : is.sentOf(changed, fieldsOf(kind, version, { [part]: sent }, part));
  const fields = new Set([...stays, ...written]);
  const isLost = (id: string): boolean =>
    [id, ...wholesOf(kind, version, id)].some((each) => changed.has(each) || gone.has(each));
  const owners = [
    ...others.map((owner) => withFields(owner, new Set([...owner.fields].filter((id) => !isLost(id))), time)),
    withFields(mine, fields, time),
  ];
  if (manager.applied && others.length > 0) refuseTooMany(owners, service.settings.MAX_PATCHED_BYTES);
  return withOwners(after, limited(owners));
}

/** Throws HttpProblem 413 where owners have more fields than may be stored. */
function refuseTooMany(owners: readonly FieldOwner[], maxBytes: number): void {
  let bytes = 0;
  for (const { fields } of owners) for (const field of fields) bytes += field.length;
  if (bytes > maxBytes)
    throw new HttpProblem(
      413,
      `${owners.length} managers would own fields of ${bytes} bytes in this resource, of which at most ${maxBytes} are stored. ` +
        'Remove managers that no longer apply from metadata.managedFields.',
    );
}

/** Returns the manager that a write is of. One through the plain API is of its actor. */
function managerOf({ manager, req }: OwnedWrite): FieldManager {
  return manager ?? { name: (req && actorOf(req)?.slice(0, LONGEST_MANAGER)) ?? PLAIN };
}

/** Returns the owners before a write; undefined where they are not noted, neither then nor after it. */
function ownersBefore(
  kind: KindDefinition,
  { before, version, part }: OwnedWrite,
  { applied, sent }: FieldManager,
  time: string,
): FieldOwner[] | undefined {
  if (before === undefined) return [];
  if (sent !== undefined && part === 'spec') {
    const owners = sentOwners(kind, before, version, sent);
    if (owners !== undefined) return owners.length > 0 ? owners : undefined;
  }
  const known = ownersIn(before);
  if (known !== undefined || applied === undefined) return known;
  const { storageVersion: hub } = kind;
  return PARTS.map((each) => ({
    ...{ manager: BEFORE_FIRST_APPLY, operation: 'Update', part: each, time },
    fields: new Set(new Places(kind, before, hub, each).shown.keys()),
  }));
}

/** Returns owners with the present ids of their fields in a part. */
function currentOwners(owners: FieldOwner[], part: Part, places: Places | undefined): FieldOwner[] {
  if (places === undefined) return owners;
  return owners.map((owner) =>
    owner.part === part ? { ...owner, fields: new Set(places.currentIds(owner.fields)) } : owner,
  );
}

/** Throws HttpProblem 409 if changed or removed fields belong to other managers. */
function refuseConflicts(
  apiVersion: string,
  others: readonly FieldOwner[],
  [is, changed]: [Places, ReadonlySet<string>],
  [was, gone]: [Places, ReadonlySet<string>],
): void {
  const conflicts = others.flatMap((owner): Conflict[] => {
    const ids = [...owner.fields];
    const replaced = [...was.pointersOf(ids.filter((id) => gone.has(id)))];
    // An empty object that gets members, or an empty list that gets elements, is no field any more.
    const lost = replaced.filter((pointer) => !isVacant(was.fields.get(pointer)?.value));
    const pointers = new Set([...is.pointersOf(ids.filter((id) => changed.has(id))), ...lost]);
    return [...pointers].map((pointer) => ({ owner, pointer }));
  });
  if (conflicts.length > 0) throw applyConflict(apiVersion, conflicts);
}

/** Returns an owner of these fields, at this time unless they are the same as before. */
function withFields(owner: FieldOwner, fields: ReadonlySet<string>, time: string): FieldOwner {
  const isSame = fields.size === owner.fields.size && [...fields].every((id) => owner.fields.has(id));
  return isSame ? owner : { ...owner, fields, time };
}

/** Maximum number of recorded managers that do not apply, and the common name of the oldest ones. */
const [MOST, ANCIENT] = [10, 'ancient-changes'];

/** Returns owners with the oldest ones that did not apply put together, so that they never grow without a limit. */
function limited(owners: FieldOwner[]): FieldOwner[] {
  const updates = owners.filter(({ operation, fields }) => operation === 'Update' && fields.size > 0);
  if (updates.length <= MOST) return owners;
  const isAncient = ({ manager }: FieldOwner): boolean => manager === ANCIENT;
  const oldest = updates
    .sort(
      (one, other) => Number(isAncient(other)) - Number(isAncient(one)) || (one.time < other.time ? -1 : 1),
    )
    .slice(0, updates.length - MOST + 2);
  const together = PARTS.map((part): FieldOwner => {
    const parts = oldest.filter((owner) => owner.part === part);
    const fields = new Set(parts.flatMap((owner) => [...owner.fields]));
    return { manager: ANCIENT, operation: 'Update', part, time: parts.at(-1)?.time ?? '', fields };
  });
  return [...owners.filter((owner) => !oldest.includes(owner)), ...together];
}
