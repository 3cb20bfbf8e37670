import type { Project } from '../../../src/model/project';
import type { ApiIndex } from '../../../templates/runtime/site/discovery';
import { create, type HttpResponse, JSON_TYPE, MERGE, send, type Sent } from '../support/client';
import { startService, type TestService } from '../support/harness';
import { versionedProject } from '../support/versioned-project';

const GROUP = 'example.svc.dev';
const [V1, BETA, ALPHA] = ['v1', 'v2beta1', 'v1alpha1'].map((version) => `/apis/${GROUP}/${version}/devices`);
const SUNSET = 'Sun, 31 Jan 2027 12:00:00 GMT';
const BETA_WARNING = `299 - "${GROUP}/v2beta1 is deprecated as of 2026-01-31 and removed as of 2027-01-31T13:00:00+01:00; use ${GROUP}/v1. Ask the team: caf%C3%A9"`;
const ALPHA_WARNING = `299 - "${GROUP}/v1alpha1 is deprecated as of 2030-01-31; use ${GROUP}/v1."`;

function project(): Project {
  const { groups, ...rest } = versionedProject();
  const deprecations = {
    v2beta1: { since: '2026-01-31', sunset: '2027-01-31T13:00:00+01:00', note: 'Ask the team: café' },
    v1alpha1: { since: '2030-01-31' },
  };
  return { ...rest, groups: [{ ...groups[0], deprecations }] };
}

let service: TestService;
let uid: string;
beforeAll(async () => {
  service = await startService(project());
  const spec = { name: 'one', location: 'Bern', ports: [{ name: 'http', number: 80 }] };
  uid = (await create(service.port, '/devices', spec)).resource.metadata.uid;
  await create(service.port, '/devices', spec);
});
afterAll(() => service.close());

/** Returns the deprecation headers of a response. */
function deprecationHeaders({ headers }: HttpResponse): object {
  const { deprecation, sunset, link, warning } = headers;
  return { deprecation, sunset, link, warning };
}

const BETA_TOLD = (path: string) => ({
  deprecation: '@1769817600',
  sunset: SUNSET,
  link: `<${path}>; rel="successor-version"`,
  warning: BETA_WARNING,
});
const ALPHA_TOLD = (path: string) => ({
  deprecation: '@1896048000',
  sunset: undefined,
  link: `<${path}>; rel="successor-version"`,
  warning: ALPHA_WARNING,
});
const NOTHING = { deprecation: undefined, sunset: undefined, link: undefined, warning: undefined };
const ACCEPT_BETA = { Accept: 'application/json;version=v2beta1' };

type Row = [title: string, status: number, method: string, path: string, sent: Sent, want: object];

const beta = (fields: object): object => ({ spec: { name: 'one', site: 'Bern' }, ...fields });

test.each<Row>([
  ['the storage version', 200, 'GET', `${V1}/UID`, {}, NOTHING],
  ['the short URL', 200, 'GET', '/devices', {}, NOTHING],
  ['by URL', 200, 'GET', `${BETA}/UID`, {}, BETA_TOLD(`${V1}/UID`)],
  ['without a body', 200, 'HEAD', `${BETA}/UID`, {}, BETA_TOLD(`${V1}/UID`)],
  ['without a sunset', 200, 'GET', ALPHA, {}, ALPHA_TOLD(V1)],
  ['a list', 200, 'GET', BETA, {}, BETA_TOLD(V1)],
  ['snapshots', 200, 'GET', `${BETA}/UID/versions`, {}, BETA_TOLD(`${V1}/UID/versions`)],
  ['by Accept', 200, 'GET', '/devices/UID', { headers: ACCEPT_BETA }, BETA_TOLD(`${V1}/UID`)],
  ['by body', 201, 'POST', '/devices', { body: beta({ apiVersion: 'v2beta1' }) }, BETA_TOLD(V1)],
  ['a patch', 200, 'PATCH', `${BETA}/UID`, { headers: MERGE, body: {} }, BETA_TOLD(`${V1}/UID`)],
  ['a status', 200, 'PUT', `${BETA}/UID/status`, { body: { status: {} } }, BETA_TOLD(`${V1}/UID/status`)],
  ['malformed JSON', 400, 'PUT', `${BETA}/UID`, { body: '{' }, BETA_TOLD(`${V1}/UID`)],
  ['an invalid body', 400, 'POST', BETA, { body: { spec: {} } }, BETA_TOLD(V1)],
  [
    'what is not there',
    404,
    'GET',
    `${BETA}/dev-0123456789abcdef`,
    {},
    BETA_TOLD(`${V1}/dev-0123456789abcdef`),
  ],
  ['no such method', 405, 'DELETE', BETA, {}, BETA_TOLD(V1)],
  ['methods', 204, 'OPTIONS', BETA, {}, BETA_TOLD(V1)],
  ['a path with brackets', 404, 'GET', `${BETA}/<x>`, {}, BETA_TOLD(`${V1}/%3Cx%3E`)],
  [
    'a URL and a body that differ, both deprecated',
    201,
    'POST',
    BETA,
    { body: { apiVersion: 'v1alpha1', spec: { title: 'one', location: 'Bern' } } },
    { ...ALPHA_TOLD(V1), warning: `${BETA_WARNING}, ${ALPHA_WARNING}` },
  ],
  [
    'beside another warning',
    200,
    'GET',
    `${BETA}/UID?x=1`,
    {},
    { ...BETA_TOLD(`${V1}/UID`), warning: `${BETA_WARNING}, 299 - "unknown query parameter x"` },
  ],
])('%s', async (_, status, method, path, sent, want) => {
  const filled = (text: string): string => text.replaceAll('UID', uid);
  const response = await send(service.port, method, filled(path), { headers: JSON_TYPE, ...sent });
  expect([response.status, deprecationHeaders(response)]).toEqual([
    status,
    JSON.parse(filled(JSON.stringify({ ...NOTHING, ...want }))),
  ]);
});

test('a page leads to the next one and to the storage version', async () => {
  const { headers } = await send(service.port, 'GET', `${BETA}?limit=1`);
  expect(headers.link).toMatch(
    /^<[^>]*v1\/devices>; rel="successor-version", <[^>]*v2beta1[^>]*>; rel="next"$/,
  );
});

test('what has not changed says so too', async () => {
  const { headers } = await send(service.port, 'GET', `${BETA}/${uid}`);
  const response = await send(service.port, 'GET', `${BETA}/${uid}`, {
    headers: { 'If-None-Match': headers.etag },
  });
  expect([response.status, deprecationHeaders(response)]).toEqual([304, BETA_TOLD(`${V1}/${uid}`)]);
});

test('GET /apis marks the versions', async () => {
  const { text } = await send(service.port, 'GET', '/apis');
  const [group] = (JSON.parse(text) as ApiIndex).groups;
  expect(group.versions.map(({ version, deprecated }) => [version, deprecated])).toEqual([
    ['v1', undefined],
    ['v2beta1', { since: '2026-01-31', sunset: '2027-01-31T13:00:00+01:00', note: 'Ask the team: café' }],
    ['v1alpha1', { since: '2030-01-31' }],
  ]);
});

test('what stands in front of the routes keeps its own links and warnings', async () => {
  const middle = await startService(project(), {
    middleware: (app) =>
      app.use((_, res, next) => {
        res.setHeader('Link', '</docs>; rel="help"');
        next();
      }),
  });
  const { headers } = await send(middle.port, 'GET', BETA);
  await middle.close();
  expect(headers.link).toBe(`</docs>; rel="help", <${V1}>; rel="successor-version"`);
});
