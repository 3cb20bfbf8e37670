import { createHash } from 'node:crypto';
import { apiIndex, serviceIndex, stabilityOf, type KindIndex, type ServiceIndex } from './discovery';
import { escapeHtml, prefersHtml } from './html';
import type { GroupDefinition, KindDefinition, ServiceDefinition } from './kind';
import { LANDING_STYLE } from './landing-style';
import { ICON } from './page-style';
import type { Page } from './site';
import { once, sendStatic, staticAnswer } from './static-answer';

/** `GET /`, JSON for programs and a page for browsers, and `GET /apis`. `metrics` is whether there are any. */
export function landingPages(
  definition: ServiceDefinition,
  kinds: KindDefinition[],
  { metrics }: { metrics: boolean },
): { [path: string]: Page } {
  const index = serviceIndex(definition, kinds, { metrics });
  const json = once(() => staticAnswer('application/json', JSON.stringify(index), { Vary: 'Accept' }));
  const html = once(() => staticAnswer('text/html; charset=utf-8', landingPage(index, definition), HEADERS));
  const apis = once(() => staticAnswer('application/json', JSON.stringify(apiIndex(definition, kinds))));
  return {
    '/': (req, res) => sendStatic(req, res, prefersHtml(req.headers.accept) ? html() : json()),
    '/apis': (req, res) => sendStatic(req, res, apis()),
  };
}

/** The links below the kinds; the documents stand above them. */
const LINKS: { [link in keyof ServiceIndex['links']]?: [title: string, description: string] } = {
  apis: ['API groups', 'What is here, as JSON'],
  events: ['Events', 'Every change, as it happens'],
  health: ['Health', 'Whether the process lives'],
  ready: ['Readiness', 'Whether the store can be written'],
  metrics: ['Metrics', 'Measurements for Prometheus'],
};

function landingPage({ name, links, kinds }: ServiceIndex, { groups }: ServiceDefinition): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(name)}</title>
    <link rel="icon" href="${ICON}">
    <style>${LANDING_STYLE}</style>
  </head>
  <body>
    <main>
      <h1>${escapeHtml(name)}</h1>
      <p class="lead">${lead(kinds)}</p>
      <p class="actions">
        <a class="button first" href="${links.docs}">Documentation</a>
        <a class="button" href="${links.openapi}">OpenAPI</a>
      </p>${groups.map((group) => groupHtml(group, kinds)).join('')}
      <section>
        <h2>The service</h2>
        <nav class="cards" aria-label="The service">${Object.entries(LINKS)
          .filter(([link]) => link in links)
          .map(([link, texts]) => cardHtml(links[link as keyof typeof links]!, texts))
          .join('')}
        </nav>
      </section>
    </main>
  </body>
</html>
`;
}

/** What the service is, in a sentence. */
function lead(kinds: KindIndex[]): string {
  if (kinds.length === 0)
    return 'This service has no kinds of resources yet. Add one with <code>svcgen add kind</code>.';
  const versions = new Set(
    kinds.flatMap(({ group, versions }) => versions.map(({ version }) => `${group}/${version}`)),
  );
  const [kind, version] = [counted(kinds.length, 'kind'), counted(versions.size, 'API version')];
  return `Resources of ${kind} in ${version}, as JSON over HTTP.`;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `one ${noun}` : `${count} ${noun}s`;
}

function cardHtml(url: string, [title, description]: [title: string, description: string]): string {
  return `
          <a class="card" href="${url}"><b>${title}</b><span>${description}</span></a>`;
}

function groupHtml({ name, deprecations = {} }: GroupDefinition, kinds: KindIndex[]): string {
  const own = kinds.filter(({ group }) => group === name);
  if (own.length === 0) return '';
  return `
      <section>
        <h2>${escapeHtml(name)}</h2>
        <ul class="kinds">${own.map((kind) => kindHtml(kind, Object.keys(deprecations))).join('')}
        </ul>
      </section>`;
}

function kindHtml({ kind, url, storageVersion, history, versions }: KindIndex, deprecated: string[]): string {
  const chips = versions.map(({ version, url }) => {
    const notes = [
      ...(version === storageVersion && versions.length > 1 ? ['storage'] : []),
      ...(deprecated.includes(version) ? ['deprecated'] : []),
    ];
    const text = [version, ...notes].join(' · ');
    return `<a class="version ${stabilityOf(version)}" href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
  });
  return `
          <li>
            <a class="kind" href="${escapeHtml(url)}"><b>${escapeHtml(kind)}</b> <code>${escapeHtml(url)}</code></a>
            <span class="versions">${history ? '<span class="note">spec history</span> ' : ''}${chips.join(' ')}</span>
          </li>`;
}

const STYLE_HASH = createHash('sha256').update(LANDING_STYLE).digest('base64');

/** The page runs nothing and loads nothing; its one style sheet is named by its digest. */
const HEADERS = {
  Vary: 'Accept',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
};
