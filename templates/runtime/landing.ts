import { createHash } from 'node:crypto';
import { apiIndex, serviceIndex, stabilityOf, type KindIndex, type ServiceIndex } from './discovery';
import { escapeHtml, prefersHtml } from './html';
import type { KindDefinition, ServiceDefinition } from './kind';
import type { Page } from './site';
import { once, sendStatic, staticAnswer } from './static-answer';

/** `GET /`, JSON for programs and a page for browsers, and `GET /apis`. */
export function landingPages(
  definition: ServiceDefinition,
  kinds: KindDefinition[],
): { [path: string]: Page } {
  const index = serviceIndex(definition, kinds);
  const json = once(() => staticAnswer('application/json', JSON.stringify(index), { Vary: 'Accept' }));
  const html = once(() => staticAnswer('text/html; charset=utf-8', landingPage(index), HEADERS));
  const apis = once(() => staticAnswer('application/json', JSON.stringify(apiIndex(definition, kinds))));
  return {
    '/': (req, res) => sendStatic(req, res, prefersHtml(req.headers.accept) ? html() : json()),
    '/apis': (req, res) => sendStatic(req, res, apis()),
  };
}

const LINKS: { [link in keyof ServiceIndex['links']]: [title: string, description: string] } = {
  docs: ['Documentation', 'Every endpoint, to read and to try'],
  openapi: ['OpenAPI', 'The same for programs'],
  apis: ['API groups', 'Groups, versions and kinds as JSON'],
  events: ['Events', 'Changes as they happen, as CloudEvents'],
  health: ['Health', 'Whether the process lives'],
  ready: ['Readiness', 'Whether it can serve'],
  metrics: ['Metrics', 'Measurements for Prometheus'],
};

function landingPage({ name, links, kinds }: ServiceIndex): string {
  const groups = [...new Set(kinds.map(({ group }) => group))];
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(name)}</title>
    <link rel="icon" href="data:,">
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>${escapeHtml(name)}</h1>
      <nav>${Object.entries(LINKS)
        .filter(([link]) => link in links)
        .map(([link, [title, description]]) =>
          linkHtml(links[link as keyof typeof links]!, title, description),
        )
        .join('')}
      </nav>${groups.map((group) => groupHtml(group, kinds)).join('')}${kinds.length === 0 ? EMPTY : ''}
    </main>
  </body>
</html>
`;
}

function linkHtml(url: string, title: string, description: string): string {
  return `
        <a href="${url}"><b>${title}</b><span>${description}</span></a>`;
}

function groupHtml(group: string, kinds: KindIndex[]): string {
  const own = kinds.filter((kind) => kind.group === group);
  return `
      <section>
        <h2>${escapeHtml(group)}</h2>
        <ul>${own.map(kindHtml).join('')}
        </ul>
      </section>`;
}

function kindHtml({ kind, url, storageVersion, history, versions }: KindIndex): string {
  const badges = versions.map(
    ({ version, url }) =>
      `<a class="version ${stabilityOf(version)}" href="${escapeHtml(url)}">${escapeHtml(version)}${version === storageVersion && versions.length > 1 ? ' <small>storage</small>' : ''}</a>`,
  );
  return `
          <li>
            <a class="kind" href="${escapeHtml(url)}"><b>${escapeHtml(kind)}</b> <code>${escapeHtml(url)}</code></a>
            <span>${history ? '<em>version history</em> ' : ''}${badges.join(' ')}</span>
          </li>`;
}

const EMPTY = `
      <p>This service has no kinds yet. Add one with <code>svcgen add kind</code>.</p>`;

const STYLE = `
:root { --text: #1d2733; --soft: #5b6876; --line: #dde3ea; --page: #f7f9fb; --card: #fff; --link: #0b5cad; --calm: #e6f2ea; --calm-text: #1c6138; --warn: #fcf0d9; --warn-text: #7a4b00; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e9ef; --soft: #9aa7b5; --line: #303a45; --page: #14191f; --card: #1c232b; --link: #7ab7ff; --calm: #1d3a2a; --calm-text: #93d9ae; --warn: #40320f; --warn-text: #f0c97a; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { margin: 0 0 1.5rem; font-size: 1.9rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1rem; font-weight: 600; color: var(--soft); overflow-wrap: anywhere; }
a { color: var(--link); text-decoration: none; }
a:hover b, a:hover code, a.version:hover { text-decoration: underline; }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
nav { display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: .75rem; }
nav a { padding: .8rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
nav b, nav span { display: block; }
nav span { font-size: .85rem; color: var(--soft); }
ul { margin: 0; padding: 0; list-style: none; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .4rem 1rem; padding: .7rem 1rem; border-top: 1px solid var(--line); }
li:first-child { border-top: 0; }
li span { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem; }
.kind { overflow-wrap: anywhere; }
code { margin-left: .4rem; font: .9em ui-monospace, monospace; color: var(--soft); }
em { font-size: .85rem; font-style: normal; color: var(--soft); }
.version { padding: .1rem .6rem; border-radius: 1rem; font-size: .85rem; background: var(--warn); color: var(--warn-text); }
.version.stable { background: var(--calm); color: var(--calm-text); }
.version small { font-size: .85em; opacity: .8; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The page runs nothing and loads nothing; its one style sheet is named by its digest. */
const HEADERS = {
  Vary: 'Accept',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
};
