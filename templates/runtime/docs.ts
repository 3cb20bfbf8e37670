import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DOCS_STYLE } from './docs-style';
import { escapeHtml } from './html';
import type { ServiceDefinition } from './kind';
import { documentOfVersion } from './openapi-document';
import { ICON } from './page-style';
import type { JsonObject } from './schema';
import type { Page } from './site';
import { once, sendStatic, staticAnswer, type StaticAnswer } from './static-answer';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** Everything comes from the service itself; Swagger UI has images in its style sheet. */
const POLICY = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

/** What the page loads from swagger-ui-dist. Nothing else of the package can be asked for. */
const ASSETS: { [file: string]: string } = {
  'swagger-ui.css': STYLE,
  'swagger-ui-bundle.js': SCRIPT,
  'swagger-ui-standalone-preset.js': SCRIPT,
};

/**
 * The OpenAPI documents, `/openapi.json` and one for each version, and `/docs`: Swagger UI with all of them,
 * served from the service alone. What each answer consists of is made when it is first asked for.
 */
export function docsPages(
  definition: ServiceDefinition,
  openapi: () => JsonObject,
): { [path: string]: Page } {
  const document = once(openapi);
  const pages: { [path: string]: () => StaticAnswer } = {
    '/openapi.json': () => documentAnswer(document()),
    '/docs': () => staticAnswer(HTML, page(definition.name), POLICY),
    '/docs/start.js': () => staticAnswer(SCRIPT, startScript(definition)),
    '/docs/page.css': () => staticAnswer(STYLE, DOCS_STYLE),
  };
  for (const { group, version, path } of versionDocuments(definition)) {
    pages[path] = () => documentAnswer(documentOfVersion(document(), group, version));
  }
  for (const [file, type] of Object.entries(ASSETS)) pages[`/docs/${file}`] = () => assetAnswer(file, type);

  return Object.fromEntries(
    Object.entries(pages).map(([path, make]) => {
      const answer = once(make);
      return [path, (req, res) => sendStatic(req, res, answer())] satisfies [string, Page];
    }),
  );
}

function versionDocuments({ groups }: ServiceDefinition): { group: string; version: string; path: string }[] {
  return groups.flatMap(({ name, versions }) =>
    versions.map((version) => ({ group: name, version, path: `/apis/${name}/${version}/openapi.json` })),
  );
}

function documentAnswer(document: JsonObject): StaticAnswer {
  return staticAnswer('application/json', JSON.stringify(document));
}

function assetAnswer(file: string, type: string): StaticAnswer {
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  return staticAnswer(type, readFileSync(join(folder, file)));
}

function page(name: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(name)} API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="stylesheet" href="/docs/page.css">
    <link rel="icon" href="${ICON}">
  </head>
  <body>
    <a class="home" href="/">${escapeHtml(name)}</a>
    <div id="docs"></div>
    <noscript>This page needs JavaScript. The same is in <a href="/openapi.json">openapi.json</a>.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/swagger-ui-standalone-preset.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;
}

/** Starts Swagger UI with the list of documents, the whole service first. */
function startScript(definition: ServiceDefinition): string {
  const urls = [
    { name: 'all versions', url: '/openapi.json' },
    ...versionDocuments(definition).map(({ group, version, path }) => ({
      name: `${group}/${version}`,
      url: path,
    })),
  ];
  return `SwaggerUIBundle({
  urls: ${JSON.stringify(urls)},
  dom_id: '#docs',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  // The logo of Swagger UI is an image with a style of its own, which the page's policy forbids.
  plugins: [() => ({ components: { Logo: () => null } })],
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
