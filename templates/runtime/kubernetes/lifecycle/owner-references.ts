import { type Failure, wrongType } from '../../model/problem';
import type { OwnerReference } from '../../model/resource';
import { isObject, type Json, type JsonObject } from '../../model/schema';
import { addUnknownMembers } from '../../model/unknown-member';

const MEMBER = '/metadata/ownerReferences';

/** Maximum number of owner references of a resource. */
const MOST = 100;

const TEXTS = ['apiVersion', 'kind', 'name', 'uid'] as const;
const FLAGS = ['controller', 'blockOwnerDeletion'] as const;

/** The members of an owner reference. */
export const OWNER_MEMBERS: string[] = [...TEXTS, ...FLAGS];

/**
 * Reads owner references that a client sent, each once; undefined where there are none, or one is of a wrong type, which is a
 * failure.
 */
export function readOwners(value: Json | undefined, failures: Failure[]): OwnerReference[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) {
    failures.push(wrongType(MEMBER, 'a list'));
    return undefined;
  }
  const owners = value.map((each, index) => readOwner(each, `${MEMBER}/${index}`, failures));
  if (owners.includes(undefined)) return undefined;
  // Members are read in one order.
  const byText = new Map(owners.map((owner) => [JSON.stringify(owner), owner!]));
  return [...byText.values()];
}

function readOwner(value: Json, pointer: string, failures: Failure[]): OwnerReference | undefined {
  const wrong = isObject(value) ? wrongMembers(value, pointer) : [wrongType(pointer, 'an object')];
  failures.push(...wrong);
  if (!isObject(value) || wrong.length > 0) return undefined;
  addUnknownMembers(failures, pointer, Object.keys(value), OWNER_MEMBERS);
  const texts = TEXTS.map((member) => [member, value[member] ?? '']);
  const flags = FLAGS.flatMap((member) => (isAbsent(value[member]) ? [] : [[member, value[member]]]));
  return Object.fromEntries([...texts, ...flags]) as OwnerReference;
}

function isAbsent(value: Json | undefined): boolean {
  return value === undefined || value === null;
}

function wrongMembers(value: JsonObject, pointer: string): Failure[] {
  const wrong = (members: readonly string[], type: string, described: string): Failure[] =>
    members
      .filter((member) => !isAbsent(value[member]) && typeof value[member] !== type)
      .map((member) => wrongType(`${pointer}/${member}`, described));
  return [...wrong(TEXTS, 'string', 'a string'), ...wrong(FLAGS, 'boolean', 'true or false')];
}

/** Returns the failures of owner references that name no owner, and of several controllers. */
export function ownerFailures(owners: readonly OwnerReference[]): Failure[] {
  if (owners.length > MOST) {
    const detail = `a resource may have ${MOST} owner references, not ${owners.length}`;
    return [{ pointer: MEMBER, rule: `maxItems=${MOST}`, detail }];
  }
  const failures = owners.flatMap((owner, index) =>
    TEXTS.filter((member) => owner[member] === '').map((member): Failure => {
      return {
        pointer: `${MEMBER}/${index}/${member}`,
        rule: 'required',
        detail: `${member} must not be empty`,
      };
    }),
  );
  const controllers = owners.filter(({ controller }) => controller === true).map(({ name }) => name);
  if (controllers.length > 1)
    failures.push({
      pointer: MEMBER,
      rule: 'controller',
      detail: `only one owner may be the controller, not ${controllers.slice(0, 10).join(', ')}`,
    });
  return failures;
}
