import type { Failure } from './problem';
import { closest } from './suggest';

/** A member's name as a part of a JSON Pointer (RFC 6901, section 3). */
export function escapePointer(name: string): string {
  return name.replace(/~/g, '~0').replace(/\//g, '~1');
}

/** The failure of a member that is not declared, with the likeliest of those that are. */
export function unknownMember(parent: string, member: string, known: string[]): Failure {
  const meant = closest(member, known);
  const detail = `unknown field ${JSON.stringify(member)}${meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`}`;
  return { pointer: `${parent}/${escapePointer(member)}`, rule: 'unknown', detail };
}
