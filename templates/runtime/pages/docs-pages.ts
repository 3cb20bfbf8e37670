import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '../http/responses/page';
import { staticPages, type StaticResponse, staticResponse } from '../http/responses/static-response';
import type { CoreDefinition } from '../service/core-definition';
import { versionDocuments } from '../site/documents';
import { DOCS_STYLE } from './docs-style';
import { escapeHtml, htmlPage, PAGE_POLICY } from './html';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** Files of swagger-ui-dist that the page loads. No other file of the package is served. */
const ASSETS: { [file: string]: string } = {
  'swagger-ui.css': STYLE,
  'swagger-ui-bundle.js': SCRIPT,
  'swagger-ui-standalone-preset.js': SCRIPT,
};

/**
 * `/docs`: Swagger UI with all OpenAPI documents, served from the service alone. Each response is built on its first
 * request.
 */
export function docsPages(definition: CoreDefinition): { [path: string]: Page } {
  const pages: { [path: string]: () => StaticResponse } = {
    '/docs': () => staticResponse(HTML, page(definition.name), PAGE_POLICY),
    '/docs/start.js': () => staticResponse(SCRIPT, startScript(definition)),
    '/docs/page.css': () => staticResponse(STYLE, DOCS_STYLE),
  };
  for (const [file, type] of Object.entries(ASSETS)) pages[`/docs/${file}`] = () => assetResponse(file, type);
  return staticPages(pages);
}

function assetResponse(file: string, type: string): StaticResponse {
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  return staticResponse(type, readFileSync(join(folder, file)));
}

function page(name: string): string {
  const head = `<link rel="stylesheet" href="./docs/swagger-ui.css">
    <link rel="stylesheet" href="./docs/page.css">`;
  const body = `<a class="home" href="./">${escapeHtml(name)}</a>
    <div id="docs"></div>
    <noscript>This page needs JavaScript. The same information is in <a href="./openapi.json">openapi.json</a>.</noscript>
    <script src="./docs/swagger-ui-bundle.js"></script>
    <script src="./docs/swagger-ui-standalone-preset.js"></script>
    <script src="./docs/start.js"></script>`;
  return htmlPage({ title: `${name} API`, head, body });
}

/** The functions that the page gives Swagger UI. */
const LIBRARY = `// All problems have one body, and these headers are on every response.
const shortProblem = (response) =>
  response
    .delete('content')
    .update('headers', (headers) => headers?.delete('X-Request-Id').delete('Cache-Control'));
const isProblem = (response) =>
  response.get('content')?.keySeq().join() === 'application/problem+json';

// The resolver of Swagger UI walks the whole document for each operation. It gets only the parts that one refers to.
const partOf = ({ openapi, info, ...sections }, path) => {
  const part = { openapi, info, paths: {} };
  const taken = new Set();
  const take = (keys) => {
    const value = keys.reduce((parent, key) => parent?.[key], sections);
    if (value === undefined || taken.has(value)) return;
    taken.add(value);
    const parent = keys.slice(0, -1).reduce((parent, key) => (parent[key] ??= {}), part);
    parent[keys.at(-1)] = value;
    visit(value);
  };
  const visit = (value) => {
    if (typeof value !== 'object' || value === null) return;
    if (String(value.$ref).startsWith('#/')) take(value.$ref.slice(2).split('/'));
    Object.values(value).forEach(visit);
  };
  take(path);
  return part;
};
`;

/**
 * Starts Swagger UI with the list of documents: storage versions, other versions, then the whole service, which shows every
 * operation once per URL and takes longest to open.
 */
function startScript(definition: CoreDefinition): string {
  const documents = versionDocuments(definition).filter(({ hasKinds }) => hasKinds);
  const urls = [
    ...documents.filter(({ storage }) => storage),
    ...documents.filter(({ storage }) => !storage),
  ].map(({ group, version, path }) => ({ name: `${group}/${version}`, url: `.${path}` }));
  urls.push({ name: 'all versions', url: './openapi.json' });
  return `${LIBRARY}
SwaggerUIBundle({
  urls: ${JSON.stringify(urls)},
  dom_id: '#docs',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  plugins: [
    // The logo of Swagger UI is an image with a style of its own, which the page's policy forbids.
    () => ({ components: { Logo: () => null } }),
    // The documents have the paths of a service at the root of its host; it may be mounted below a path.
    () => ({
      statePlugins: {
        spec: {
          wrapActions: {
            updateJsonSpec: (update) => (document) =>
              update({ ...document, servers: [{ url: new URL('.', location.href).pathname }] }),
          },
        },
      },
    }),
    ({ React }) => ({
      afterLoad({ fn }) {
        const { resolveSubtree } = fn;
        fn.resolveSubtree = (document, path, options) =>
          resolveSubtree(partOf(document, path), path, options);
      },
      wrapComponents: {
        response: (Response) => (props) =>
          React.createElement(Response, {
            ...props,
            response: isProblem(props.response) ? shortProblem(props.response) : props.response,
          }),
      },
    }),
  ],
  layout: 'StandaloneLayout',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
`;
}
