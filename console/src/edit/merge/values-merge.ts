import { applyPatch, structuredPatch } from 'diff';
import type { Maybe } from '../../../../templates/runtime/model/fields/values';
import type { Json } from '../../../../templates/runtime/model/schema';
import type { Three } from './three-way';

/**
 * Returns a value with the changes of both users: texts are merged by lines, lists by elements. Returns undefined where
 * the two changes touch the same place.
 */
export function mergedValue({ base, mine, theirs }: Three): Maybe {
  const parts = [base ?? empty(mine), mine, theirs].map(linesOf);
  if (!parts.every((part) => part !== undefined)) return undefined;
  const [before, own, other] = parts.map((lines) => lines.map((line) => `${line}\n`).join(''));
  const patch = structuredPatch('', '', before, own, undefined, undefined, { context: 0 });
  const merged = applyPatch(other, patch, { fuzzFactor: 0, autoConvertLineEndings: false });
  if (merged === false) return undefined;
  const lines = merged.split('\n').slice(0, -1);
  return typeof mine === 'string' ? lines.join('\n') : lines.map((line) => JSON.parse(line) as Json);
}

function empty(value: Maybe): Maybe {
  return typeof value === 'string' ? '' : [];
}

/** Strings of one line have nothing to merge by. */
function linesOf(value: Maybe): string[] | undefined {
  if (Array.isArray(value)) return value.map((each) => JSON.stringify(each));
  return typeof value === 'string' ? value.split('\n') : undefined;
}
