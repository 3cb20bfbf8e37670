import type { MountedKind } from '../runtime/mount';
import type { TestedService } from './tested';

interface Document {
  info: { title: string; version: string };
  tags: { name: string }[];
  paths: { [path: string]: { [method: string]: { tags?: string[] } } };
  components: { [section: string]: { [name: string]: unknown } };
}

/** The links of the index that every service has. */
const LINKS = {
  apis: '/apis',
  openapi: '/openapi.json',
  docs: '/docs',
  console: '/console',
  health: '/healthz',
  ready: '/readyz',
};
const TITLES = { apis: 'API groups', health: 'Health', ready: 'Readiness' };

/** Checks the contents of the pages that belong to no kind: the index, the documents, health and metrics. */
export function pages(service: TestedService): void {
  const { groups, name } = service.subject.definition;
  const { kinds } = service.subject;
  const routes = service.description.routes();
  const links = Object.fromEntries(Object.entries(LINKS).filter(([, url]) => routes.includes(`GET ${url}`)));

  test('/ as JSON', async () => {
    const index = await json<{ links: object; kinds: object[] }>(service, '/');
    expect(index).toMatchObject({ name, links, kinds: kinds.map(inIndex) });
    const other = await service.send('GET', '/', {
      headers: { Accept: 'application/json, text/html;q=0.9' },
    });
    expect(other.headers['content-type']).toBe('application/json');
  });

  test('/apis', async () => {
    const { groups: shown } = await json<{ groups: unknown[] }>(service, '/apis');
    const want = groups.map(({ name, storageVersion, versions, deprecations = {} }) => ({
      name,
      storageVersion,
      versions: versions.map((version) => ({
        version,
        apiVersion: `${name}/${version}`,
        stability: /alpha|beta/.exec(version)?.[0] ?? 'stable',
        storage: version === storageVersion,
        ...(Object.hasOwn(deprecations, version) && { deprecated: deprecations[version] }),
        openapi: `/apis/${name}/${version}/openapi.json`,
        kinds: kinds
          .filter(({ kind }) => kind.group === name && kind.servedVersions.includes(version))
          .map(({ kind }) => ({
            kind: kind.kind,
            plural: kind.plural,
            url: `/apis/${name}/${version}/${kind.plural}`,
            history: kind.history !== undefined,
          })),
      })),
    }));
    expect(shown).toEqual(want);
  });

  for (const group of groups)
    test.each(group.versions)(`the document of ${group.name}/%s`, (version) =>
      checkDocument(service, group.name, version),
    );

  if (service.description.hasPages) forBrowsers(service);
  health(service);
  compression(service);
  if (routes.includes('GET /metrics')) metrics(service);
}

function forBrowsers(service: TestedService): void {
  const { kinds, definition } = service.subject;
  test('/ for browsers', async () => {
    const { text, headers } = await service.send('GET', '/', { headers: { Accept: 'text/html, */*;q=0.8' } });
    expect(text).toContain(`<title>${definition.name}</title>`);
    for (const [link, title] of Object.entries(TITLES)) {
      const url = LINKS[link as keyof typeof TITLES];
      expect(text).toContain(`<a class="card" href=".${url}"><b>${title}</b><span>`);
    }
    for (const { kind } of kinds)
      for (const version of kind.servedVersions)
        expect(text).toMatch(
          new RegExp(`href="\\./apis/${kind.group}/${version}/${kind.plural}">${version}( ·|<)`),
        );
    expect(headers).toMatchObject({ vary: 'Accept, Accept-Encoding', 'referrer-policy': 'no-referrer' });
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-\S+'; img-src/,
    );
  });
}

function health(service: TestedService): void {
  test('health', async () => {
    for (const [path, status] of [
      ['/healthz', 'ok'],
      ['/readyz', 'ready'],
    ] as const) {
      const { text, headers } = await service.send('GET', path);
      expect([text, headers['cache-control']]).toEqual([`{"status":"${status}"}`, 'no-store']);
    }
  });
}

function compression(service: TestedService): void {
  test('a page is compressed for those who accept that', async () => {
    for (const [accepted, encoding] of [
      ['gzip', 'gzip'],
      ['br, gzip;q=0.5', 'gzip'],
      ['gzip;q=0', undefined],
      ['identity', undefined],
    ] as const) {
      const { headers } = await service.send('HEAD', '/openapi.json', {
        headers: { 'Accept-Encoding': accepted },
      });
      expect([accepted, headers['content-encoding']]).toEqual([accepted, encoding]);
      expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' });
    }
  });
}

function metrics(service: TestedService): void {
  test('metrics count requests by route, and time them', async () => {
    const [first] = service.subject.kinds;
    const route = first === undefined ? '/apis' : `/${first.kind.plural}`;
    const count = async (series: string): Promise<number> => {
      const { text } = await service.send('GET', '/metrics');
      const line = text.split('\n').find((line) => line.startsWith(`${series} `));
      return Number(line?.slice(series.length + 1) ?? 0);
    };
    const labels = `method="GET",route="${route}"`;
    const all = [
      `http_requests_total{${labels},status="2xx"}`,
      `http_request_duration_seconds_count{${labels}}`,
      `http_request_duration_seconds_bucket{${labels},le="+Inf"}`,
    ];
    for (const series of all) {
      const before = await count(series);
      await service.send('GET', route);
      await service.send('GET', route);
      expect([series, (await count(series)) - before]).toEqual([series, 2]);
    }
  });
}

function inIndex({ kind }: MountedKind): object {
  const { group, plural, storageVersion, servedVersions, history } = kind;
  return {
    ...{ group, kind: kind.kind, plural, url: `/${plural}`, storageVersion, history: history !== undefined },
    versions: servedVersions.map((version) => ({ version, url: `/apis/${group}/${version}/${plural}` })),
  };
}

/** Checks that the document of a version has its paths and all that they refer to, and nothing else. */
async function checkDocument(service: TestedService, group: string, version: string): Promise<void> {
  const whole = await json<Document>(service, '/openapi.json');
  const own = await json<Document>(service, `/apis/${group}/${version}/openapi.json`);
  const isOwn = ([path]: [string, unknown]): boolean => path.startsWith(`/apis/${group}/${version}/`);
  expect(own.paths).toEqual(Object.fromEntries(Object.entries(whole.paths).filter(isOwn)));
  expect(own.info).toEqual({ ...whole.info, title: `${whole.info.title}: ${group}/${version}`, version });
  const refs = new Set(
    [...JSON.stringify(own).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, ref]) => ref),
  );
  const { securitySchemes: _, ...sections } = own.components;
  const names = Object.entries(sections).flatMap(([section, members]) =>
    Object.keys(members).map((name) => `${section}/${name}`),
  );
  expect(names.sort()).toEqual([...refs].sort());
  const used = Object.values(own.paths).flatMap((path) =>
    Object.values(path).flatMap(({ tags }) => tags ?? []),
  );
  expect(own.tags.map(({ name }) => name).sort()).toEqual([...new Set(used)].sort());
}

async function json<T>(service: TestedService, path: string): Promise<T> {
  const { status, text } = await service.send('GET', path);
  expect([status, text]).toEqual([200, text]);
  return JSON.parse(text) as T;
}
