import type { JsonObject, Project } from '../model/project';
import { COUNT, parameter, TEXT } from './components';

const ETAG = '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"';
const DATE = 'Fri, 02 Jan 2026 03:04:05 GMT';

const WORD = '[^\\s,=!()<>]+';
/** Values may be empty, but an empty list has none. */
const VALUES = `\\(\\s*(?:${WORD}|,\\s*(?:${WORD})?)(?:\\s*,\\s*(?:${WORD})?)*\\s*\\)`;
const REQUIREMENT = `\\s*(?:!\\s*${WORD}|${WORD}(?:\\s*(?:==?|!=)\\s*(?:${WORD})?|\\s+(?:in|notin)\\s*${VALUES})?)\\s*`;
const LABEL_SELECTOR = `^(?:\\s*|${REQUIREMENT}(?:,${REQUIREMENT})*)$`;

const IDEMPOTENCY_KEY = '^(?:"(?:[!#-\\[\\]-~]|\\\\["\\\\]){1,255}"|[!#-~][!-~]{0,254})$';

/**
 * The parameters of requests, in path, query and header. Optional ones have no examples: the page that tries
 * requests out would send them.
 */
export function parameters(project: Project): { [name: string]: JsonObject } {
  return {
    uid: parameter('path', 'uid', 'The uid of the resource.'),
    uidOrName: parameter('path', 'uid', 'The uid or the name of the resource.'),
    versionId: parameter('path', 'versionId', 'The id of the snapshot; ids sort by time.'),
    ...queryParameters(),
    idempotencyKey: parameter(
      'header',
      'Idempotency-Key',
      'A key chosen by the client, quoted or bare. A repeat with the same key gets the first 201 again, and creates nothing.',
      { type: 'string', pattern: IDEMPOTENCY_KEY },
    ),
    ...conditions(project),
  };
}

function queryParameters(): { [name: string]: JsonObject } {
  const query = (name: string, description: string, schema?: JsonObject): JsonObject =>
    parameter('query', name, description, schema);
  return {
    labelSelector: query(
      'labelSelector',
      'Only resources whose labels match, in the grammar of Kubernetes: `env=prod,tier!=db`, `in (…)`, `notin (…)`, `key`, `!key`.',
      { type: 'string', pattern: LABEL_SELECTOR },
    ),
    label: query(
      'label',
      'Only resources with this label: `key=value`, or `key` for any value. If repeated, all must hold.',
      { type: 'array', items: { type: 'string', pattern: '^[^=]' } },
    ),
    limit: query(
      'limit',
      'Page size; the header `Link` leads to the next page. By default, the whole list is returned.',
      COUNT,
    ),
    continue: query('continue', 'The cursor of the page, taken from `Link`.'),
    snapshotSort: query('sort', 'The order: oldest first by default, newest first with `-createdAt`.', {
      type: 'string',
      enum: ['createdAt', '-createdAt'],
    }),
    dryRun: query(
      'dryRun',
      '`true` and `All` check everything, and write nothing: the response is that of the write, with an invented uid and times.',
      { type: 'string', enum: ['true', 'All', 'false'] },
    ),
  };
}

/** The headers that make a request conditional. */
function conditions({ requireIfMatch }: Project): { [name: string]: JsonObject } {
  const header = (name: string, description: string): JsonObject => parameter('header', name, description);
  const ifMatch = header(
    'If-Match',
    'Proceed only if the resource has one of these ETags (RFC 9110, 13.1.1).',
  );
  return {
    createIfMatch: header(
      'If-Match',
      'A tag cannot match a resource that does not exist yet and returns 412; `*` is ignored.',
    ),
    createIfNoneMatch: header('If-None-Match', '`*` returns 412; a tag is ignored.'),
    readIfMatch: ifMatch,
    ifMatch: requireIfMatch ? { ...ifMatch, required: true, example: '*' } : ifMatch,
    ifNoneMatch: header(
      'If-None-Match',
      'Proceed only if the resource has none of these ETags (RFC 9110, 13.1.2).',
    ),
    ifModifiedSince: header(
      'If-Modified-Since',
      'Return 304 unless modified after this date (RFC 9110, 13.1.3).',
    ),
    ifUnmodifiedSince: header(
      'If-Unmodified-Since',
      'Proceed only if not modified after this date (RFC 9110, 13.1.4).',
    ),
  };
}

const TAG = 'Entity tag of this representation, for If-Match and If-None-Match.';
const LAST_MODIFIED = 'Time of the last write, in whole seconds.';
const NOT_EXPANDED = 'Absent in a response to a request with `expand`.';

const header = (description: string, example: string): JsonObject => ({ description, schema: TEXT, example });
const always = (description: string, example: string): JsonObject => ({
  ...header(description, example),
  required: true,
});

/** The headers of responses; those that are required come with every response that names them. */
export const HEADERS: { [name: string]: JsonObject } = {
  ETag: always(TAG, ETAG),
  ListETag: header(
    'Entity tag of this list, for If-None-Match; absent where a policy decides what is shown, and where the database does not tell cheaply whether the list has changed.',
    ETAG,
  ),
  LastModified: always(LAST_MODIFIED, DATE),
  OwnETag: header(`${TAG} ${NOT_EXPANDED}`, ETAG),
  OwnLastModified: header(`${LAST_MODIFIED} ${NOT_EXPANDED}`, DATE),
  Location: always('The URL of the new resource.', '/devices/dev-0123456789abcdef'),
  Link: header(
    'The next page of a list, absent on the last page, and the successor of a deprecated version (RFC 8288).',
    '</devices?limit=100&continue=…>; rel="next"',
  ),
  Deprecation: header('The date of the deprecation of the version (RFC 9745).', '@1769817600'),
  Sunset: header('The date of the removal of the version (RFC 8594).', DATE),
  Vary: always('Request headers that the response depends on.', 'Accept'),
  PageVary: header('Request headers that the response depends on, if any.', 'Accept-Encoding'),
  CacheControl: always('Rules for caching the response.', 'no-cache'),
  NoStore: always('The response must not be cached.', 'no-store'),
  Warning: header('A tolerated problem, such as an unknown query parameter; one line for each.', '299 - "…"'),
  AcceptPatch: always(
    'The patch types (RFC 5789).',
    'application/merge-patch+json, application/json-patch+json, application/shorthand-patch+json',
  ),
  RequestId: always(
    'The id of the request in the logs of the service, taken from the request or generated.',
    '5f0c2f9e-3f0c-4e49-9a6e-1a5c3f6a2b7d',
  ),
  WWWAuthenticate: always('Accepted authentication schemes (RFC 9110, section 11.6.1).', 'Bearer'),
  RetryAfter: header('Seconds to wait before a retry.', '1'),
};
