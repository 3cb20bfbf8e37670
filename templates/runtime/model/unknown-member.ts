import { below } from './fragment';
import { type Failure, MAX_FAILURES } from './problem';
import { closest } from './suggest';

/**
 * Adds a failure for each member that is not among the known ones, as far as a response has room for them. To find the one
 * that was meant takes time, and a body may have 100,000 members.
 */
export function addUnknownMembers(
  failures: Failure[],
  parent: string,
  members: readonly string[],
  known: string[],
): void {
  for (const member of members) {
    if (failures.length >= MAX_FAILURES) return;
    if (!known.includes(member)) failures.push(unknownMember(parent, member, known));
  }
}

/** The failure of a member that is not declared, with the likeliest of those that are. */
export function unknownMember(parent: string, member: string, known: string[]): Failure {
  const meant = closest(member, known);
  const detail = `unknown field ${JSON.stringify(member)}${meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`}`;
  return { pointer: below(parent, member), rule: 'unknown', detail };
}
