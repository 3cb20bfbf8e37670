import { formats } from './formats';
import type { Located } from './located';
import type { Deprecation } from '../model';
import { quoted } from '../quoted';

/** A note goes into a header of every answer. */
const LONGEST_NOTE = 300;

/** Where the name of a version stands: an item of `versions` is the name, or a mapping with it. */
export function versionName(item: Located): Located {
  return item.isMapping ? item.get('name') : item;
}

/** The versions of a group that are marked `deprecated`, by name. */
export function buildDeprecations(
  versions: Located,
  storageVersion: string | undefined,
): { [version: string]: Deprecation } {
  const marked: { [version: string]: Deprecation } = {};
  for (const item of versions.items()) {
    const { text: name } = versionName(item);
    const place = item.get('deprecated');
    if (name === undefined || !place.isMapping) continue;
    marked[name] = buildDeprecation(place);
    if (name !== storageVersion) continue;
    const hint = 'clients are sent from a deprecated version to the storage version; move that first';
    place.keyProblem(`${name} is the storage version and cannot be deprecated`, hint);
  }
  return marked;
}

function buildDeprecation(place: Located): Deprecation {
  const [since, sunset] = ['since', 'sunset'].map((name) => checkDate(place.get(name)));
  if (since !== undefined && sunset !== undefined && Date.parse(sunset) < Date.parse(since)) {
    const hint = 'a version is deprecated first and removed later';
    place.get('sunset').problem(`the sunset ${sunset} is before the deprecation, ${since}`, hint);
  }
  const note = place.get('note').text?.trim().replace(/\s+/g, ' ');
  if (note !== undefined && note.length > LONGEST_NOTE) {
    const hint = 'say where to read more; it is sent with every answer';
    place.get('note').problem(`a note has at most ${LONGEST_NOTE} characters, not ${note.length}`, hint);
  }
  return { since: since ?? '', ...(sunset !== undefined && { sunset }), ...(note && { note }) };
}

/** The date, or date-time, as it is written; undefined for what is reported here or by the JSON Schema. */
function checkDate(place: Located): string | undefined {
  const { text } = place;
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  if (formats['date-time'](time) && !Number.isNaN(Date.parse(time))) return text;
  place.problem(
    `${quoted(text)} is no date`,
    'use a date such as 2026-01-31, or a date-time such as 2026-01-31T12:00:00Z',
  );
  return undefined;
}
