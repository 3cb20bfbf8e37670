import type { KindRoutes } from '../api/endpoints';
import { HttpProblem } from '../model/problem';

/** Returns the raw segments of a path; one trailing slash is ignored. */
export function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  let start = 1;
  for (let end = path.indexOf('/', start); end >= 0; end = path.indexOf('/', start)) {
    segments.push(path.slice(start, end));
    start = end + 1;
  }
  if (start < path.length) segments.push(path.slice(start));
  return segments;
}

/**
 * Decodes the percent-encoding of the name in a segment. The other segments stay raw: middleware that is mounted on a
 * path compares raw text, and other spellings must not bypass it.
 */
export function decoded(segment = ''): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new HttpProblem(400, 'The path has a malformed percent-encoding.');
  }
}

/** Returns the route of a kind for this number of segments after the collection's name. */
export function routeOf(length: number, part: string | undefined): keyof KindRoutes | undefined {
  if (length === 0) return 'collection';
  if (length === 1) return 'item';
  if (length === 2 && part === 'status') return 'status';
  if (part !== 'versions' || length > 3) return undefined;
  return length === 2 ? 'versions' : 'version';
}
