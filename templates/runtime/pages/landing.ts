import { createHash } from 'node:crypto';
import { pathOf } from '../http/request/request-target';
import type { Page } from '../http/responses/page';
import { sendEmpty } from '../http/responses/respond';
import { jsonResponse, once, sendStatic, staticResponse } from '../http/responses/static-response';
import type { GroupDefinition } from '../model/kinds/kind';
import { type KindIndex, type ServiceIndex, stabilityOf } from '../site/discovery';
import { escapeHtml, htmlPage } from './html';
import { LANDING_STYLE } from './landing-style';

/** `GET /`: a page for browsers, JSON for programs. */
export function landingPage(index: ServiceIndex, groups: readonly GroupDefinition[]): Page {
  const json = once(() => jsonResponse(index, { Vary: 'Accept' }));
  const html = once(() => staticResponse('text/html; charset=utf-8', htmlOf(index, groups), HEADERS));
  return (req, res) => {
    if (req.accepts('json', 'html') !== 'html') return sendStatic(req, res, json());
    const path = pathOf(req);
    if (path.endsWith('/')) return sendStatic(req, res, html());
    // The links are relative to the root of the service, below which another application may have mounted it.
    const Location = `${path.slice(path.lastIndexOf('/') + 1)}/`;
    return sendEmpty(res, 302, { Location, Vary: 'Accept' });
  };
}

/** Returns a path of the service as a link of this page. */
function linkTo(path: string): string {
  return escapeHtml(`.${path}`);
}

/** Links below the kinds; the documents come above them. */
const LINKS: { [link: string]: [title: string, description: string] } = {
  apis: ['API groups', 'Groups, versions and kinds, as JSON'],
  events: ['Events', 'A live stream of all changes'],
  health: ['Health', 'Status of the process'],
  ready: ['Readiness', 'Status of the store'],
  metrics: ['Metrics', 'Metrics for Prometheus'],
};

function htmlOf({ name, links, kinds }: ServiceIndex, groups: readonly GroupDefinition[]): string {
  const body = `<main>
      <h1>${escapeHtml(name)}</h1>
      <p class="lead">${lead(kinds)}</p>
      <p class="actions">
        ${links['console'] ? `<a class="button first" href="${linkTo(links['console'])}">Console</a>` : ''}
        <a class="button${links['console'] ? '' : ' first'}" href="${linkTo(links.docs)}">Documentation</a>
        <a class="button" href="${linkTo(links.openapi)}">OpenAPI</a>
      </p>${groups.map((group) => groupHtml(group, kinds)).join('')}
      <section>
        <h2>The service</h2>
        <nav class="cards" aria-label="The service">${Object.entries(LINKS)
          .filter(([link]) => link in links)
          .map(([link, texts]) => cardHtml(linkTo(links[link]), texts))
          .join('')}
        </nav>
      </section>
    </main>`;
  return htmlPage({ title: name, head: `<style>${LANDING_STYLE}</style>`, body });
}

/** Returns a one-sentence description of the service. */
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
    return `<a class="version ${stabilityOf(version)}" href="${linkTo(url)}">${escapeHtml(text)}</a>`;
  });
  return `
          <li>
            <a class="kind" href="${linkTo(url)}"><b>${escapeHtml(kind)}</b> <code>${escapeHtml(url)}</code></a>
            <span class="versions">${history ? '<span class="note">spec history</span> ' : ''}${chips.join(' ')}</span>
          </li>`;
}

const STYLE_HASH = createHash('sha256').update(LANDING_STYLE).digest('base64');

/** The page has no scripts and loads nothing; its one style sheet is named by its digest. */
const HEADERS = {
  Vary: 'Accept',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
};
