import type { Failure } from '../runtime/model/problem';
import { JSON_TYPE, type Place } from './place';
import type { Sent } from './tested';

/** A request, and the status and the detail of its refusal. */
type Row = [method: string, path: string, sent: Sent, refusal: string];

const body = (value: unknown): Sent => ({ body: value });
const typed = (type: string, text = '{}'): Sent => ({ headers: { 'Content-Type': type }, body: text });
const OBJECT = '400 The body must be a JSON object.';
const ORIGIN = '403 A page of another origin must not write; TRUSTED_ORIGINS lists those that may.';
const TYPE = '415 The Content-Type must be application/json.';
const OTHER = 'https://other.example';

/** Requests to the collection and to a resource that does not exist. */
function rows({ kind, url, missing, service }: Place): Row[] {
  const { MAX_BODY_BYTES } = service.settings;
  const notFound = (uid: string): string => `404 ${kind.kind} "${uid}" was not found.`;
  const uid = missing.slice(url.length + 1);
  const labels = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`label${index}`, '']));
  return [
    ['GET', missing, {}, notFound(uid)],
    ['DELETE', `${url}/${'x'.repeat(100)}`, {}, notFound('x'.repeat(64))],
    ['GET', `${missing}/unknown`, {}, '404 There is nothing at this path.'],
    ['GET', `${url}/%zz`, {}, '400 The path has a malformed percent-encoding.'],
    ['PUT', url, {}, '405 The method PUT is not allowed here.'],
    ['POST', url, body([]), OBJECT],
    ['POST', url, body('null'), OBJECT],
    ['POST', url, body({ apiVersion: 1 }), '400 apiVersion must be a string.'],
    ['POST', url, body({ kind: 'Other' }), `400 The kind must be ${kind.kind}, as the collection's.`],
    ['POST', url, body({ metadata: { labels }, spec: {} }), '400 A resource may have 1000 labels, not 1001.'],
    [
      'POST',
      url,
      body(' '.repeat(MAX_BODY_BYTES + 1)),
      `413 The body is larger than ${MAX_BODY_BYTES} bytes.`,
    ],
    ['POST', url, typed('text/html'), TYPE],
    ['POST', url, typed('application/json; charset="latin1"'), '415 The charset must be utf-8.'],
    [
      'POST',
      url,
      { headers: { 'Content-Type': JSON_TYPE, 'Content-Encoding': 'br' }, body: '{}' },
      '415 The body must have no Content-Encoding.',
    ],
    ...fromPages(url, missing),
  ];
}

/** Writes that browsers send for pages of other origins. */
function fromPages(url: string, missing: string): Row[] {
  const page = (headers: { [name: string]: string }): Sent => ({ headers, body: '{}' });
  const form = { 'Content-Type': 'Multipart/Form-Data; boundary=x' };
  return [
    ['DELETE', missing, { headers: { 'Sec-Fetch-Site': 'cross-site' } }, ORIGIN],
    ['POST', url, page({ ...form, 'Sec-Fetch-Site': 'same-site' }), ORIGIN],
    ['POST', url, page({ ...form, Origin: OTHER }), ORIGIN],
    ['POST', url, page({ 'Content-Type': 'application/x-www-form-urlencoded', Origin: OTHER }), ORIGIN],
    ['POST', url, page({ ...form, 'Sec-Fetch-Site': 'none' }), TYPE],
    ['POST', url, page({ ...form, Origin: 'http://Own.example', Host: 'own.example' }), TYPE],
    [
      'GET',
      missing,
      { headers: { Host: 'a b' } },
      '400 The Host header is malformed: it is a host name with an optional port.',
    ],
  ];
}

/** Envelopes with members of a wrong type or an unknown name, and the failures of these members. */
const FAILURES: [body: object, failures: Failure[]][] = [
  [{ metadata: 1 }, [failure('/metadata', 'type', 'metadata must be an object')]],
  [
    { metadata: { name: 1, labels: [], annotations: { 'a/b': 1 } } },
    [
      failure('/metadata/name', 'type', 'metadata.name must be a string'),
      failure('/metadata/labels', 'type', 'metadata.labels must be an object'),
      failure('/metadata/annotations/a~1b', 'type', 'metadata.annotations must hold strings'),
    ],
  ],
  [
    { metadata: { label: 1, x: 1 }, sepc: 1 },
    [
      failure('/sepc', 'unknown', 'unknown field "sepc"; did you mean "spec"?'),
      failure('/metadata/label', 'unknown', 'unknown field "label"; did you mean "labels"?'),
      failure('/metadata/x', 'unknown', 'unknown field "x"'),
    ],
  ],
];

function failure(pointer: string, rule: string, detail: string): Failure {
  return { pointer: `#${pointer}`, rule, detail };
}

/** Checks the texts of refusals: the detail of the problem, and the failures of a body. */
export function refusals(place: Place): void {
  const { service, url } = place;
  test.each(rows(place))('%s %s', async (method, path, sent, refusal) => {
    const { status, text } = await service.send(method, path, sent);
    const problem = JSON.parse(text) as { detail: string; instance: string };
    // Every instance is a URI reference.
    const instance = path.replace('%zz', '%25zz');
    expect([`${status} ${problem.detail}`, problem.instance]).toEqual([refusal, instance]);
  });

  test.each(FAILURES)('POST %j', async (body, failures) => {
    const { status, text } = await service.send('POST', url, { body: { spec: {}, ...body } });
    const { errors } = JSON.parse(text) as { errors: Failure[] };
    expect(status).toBe(400);
    expect(errors.filter(({ pointer }) => !pointer.startsWith('#/spec'))).toEqual(failures);
  });

  test('spec is required, and an object', async () => {
    for (const [spec, rule, detail] of [
      [undefined, 'required', 'spec is required'],
      [null, 'required', 'spec is required'],
      [[], 'type', 'spec must be an object'],
    ]) {
      const { text } = await service.send('POST', url, { body: { spec } });
      expect((JSON.parse(text) as { errors: Failure[] }).errors).toEqual([
        { pointer: '#/spec', rule, detail },
      ]);
    }
  });
}
