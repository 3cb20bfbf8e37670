import type { Project } from '../model';
import type { JsonObject } from './document';

const TEXT = { type: 'string' } as const;
const COUNT = { type: 'integer', minimum: 1 } as const;
const ETAG = '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"';
const DATE = 'Fri, 02 Jan 2026 03:04:05 GMT';

/**
 * The parameters of requests, in path, query and header. Optional ones have no examples: the page that tries
 * requests out would send them.
 */
export function parameters({ requireIfMatch }: Project): { [name: string]: JsonObject } {
  const path = (name: string, description: string): JsonObject => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: TEXT,
  });
  const query = (name: string, description: string, schema: JsonObject = TEXT): JsonObject => ({
    name,
    in: 'query',
    description,
    schema,
  });
  const header = (name: string, description: string): JsonObject => ({
    name,
    in: 'header',
    description,
    schema: TEXT,
  });
  const ifMatch = header('If-Match', 'Go on only if the resource has one of these ETags (RFC 9110, 13.1.1).');
  return {
    uid: path('uid', 'The uid of the resource.'),
    versionId: path('versionId', 'The id of the snapshot; ids sort by time.'),
    labelSelector: query(
      'labelSelector',
      'Only resources whose labels match; the grammar of Kubernetes: `env=prod,tier!=db`, `in (…)`, `notin (…)`, `key`, `!key`.',
    ),
    label: query(
      'label',
      'Only resources with this label: `key=value`, or `key` alone for any value. All of several must hold.',
      { type: 'array', items: TEXT },
    ),
    limit: query(
      'limit',
      'At most so many resources; the header `Link` leads to the next page. Without it the whole list is answered.',
      COUNT,
    ),
    continue: query('continue', 'The place where the page begins, as `Link` tells it.'),
    createIfMatch: header('If-Match', 'A tag never matches what is not there yet: 412; `*` is ignored.'),
    createIfNoneMatch: header('If-None-Match', '`*` is answered 412; a tag is ignored.'),
    readIfMatch: ifMatch,
    ifMatch: requireIfMatch ? { ...ifMatch, required: true, example: '*' } : ifMatch,
    ifNoneMatch: header(
      'If-None-Match',
      'Go on only if the resource has none of these ETags (RFC 9110, 13.1.2).',
    ),
    ifModifiedSince: header(
      'If-Modified-Since',
      'Answer 304 unless modified after this date (RFC 9110, 13.1.3).',
    ),
    ifUnmodifiedSince: header(
      'If-Unmodified-Since',
      'Go on only if not modified after this date (RFC 9110, 13.1.4).',
    ),
  };
}

const header = (description: string, example: string): JsonObject => ({ description, schema: TEXT, example });
const always = (description: string, example: string): JsonObject => ({
  ...header(description, example),
  required: true,
});

/** The headers of responses; those that are required come with every response that names them. */
export const HEADERS: { [name: string]: JsonObject } = {
  ETag: always('Tag of this representation, for If-Match and If-None-Match.', ETAG),
  LastModified: always('Time of the last write, in whole seconds.', DATE),
  Location: always('The URL of the new resource.', '/devices/dev-0123456789abcdef'),
  Link: header(
    'The next page of a list, absent on the last one, and where the same is in place of a deprecated version (RFC 8288).',
    '</devices?limit=100&continue=…>; rel="next"',
  ),
  Deprecation: header('When the version became, or becomes, deprecated (RFC 9745).', '@1769817600'),
  Sunset: header('When the version stops being served (RFC 8594).', DATE),
  Vary: always('The request headers that the answer depends on.', 'Accept'),
  PageVary: header('The request headers that the answer depends on, if any.', 'Accept-Encoding'),
  CacheControl: always('How long the answer may be kept.', 'no-cache'),
  NoStore: always('The answer is not to be kept.', 'no-store'),
  Warning: header(
    'Something that was not refused, such as an unknown query parameter; one line for each.',
    '299 - "…"',
  ),
  AcceptPatch: always(
    'The patch types (RFC 5789).',
    'application/merge-patch+json, application/json-patch+json, application/shorthand-patch+json',
  ),
  RequestId: always(
    'The id of the request in the logs of the service: the one that it came with, or one made up.',
    '5f0c2f9e-3f0c-4e49-9a6e-1a5c3f6a2b7d',
  ),
  RetryAfter: header('Seconds after which to try again.', '1'),
};
