import { extname } from 'node:path';
import { type Page, readPages } from '../http/responses/page';
import { sendJson } from '../http/responses/respond';
import { jsonResponse, staticPages, staticResponse } from '../http/responses/static-response';
import { SETTINGS_PAGE } from '../http/security/guard';
import type { KindDefinition } from '../model/kinds/kind';
import { htmlPage, PAGE_POLICY } from '../pages/html';
import type { Feature } from '../service/feature';
import type { Service } from '../service/service';
import { SETTINGS, type Settings, type SettingsTable } from '../settings/settings';
import type { ConsoleContent, ConsoleFiles, ConsoleSetting, ConsoleSettings } from './content';
import { describeKind, describeService } from './description';

/** Trusted Types refuse text that a script would insert as markup: stored data cannot become any. */
const POLICY = {
  ...PAGE_POLICY,
  'Content-Security-Policy': `${PAGE_POLICY['Content-Security-Policy']}; require-trusted-types-for 'script'; trusted-types 'none'`,
};

/** The name of a file changes with its text. */
const FOREVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/**
 * Serves the console: the page `/console`, its static files, and descriptions of the service and its kinds. None of
 * them shows stored data; the page reads that from the API, with the credentials of its user. It also serves the
 * settings, which are guarded.
 */
export function consolePages(content: ConsoleContent): Feature {
  return () => (service) => ({
    pages: (kinds) =>
      readPages({
        ...pagesOf(service, kinds, content),
        [SETTINGS_PAGE]: settingsPage(service, content.settings),
      }),
    links: { console: '/console' },
  });
}

function pagesOf(
  service: Service,
  kinds: KindDefinition[],
  content: ConsoleContent,
): { [path: string]: Page } {
  const page = (): string => pageOf(service.definition.name, content.files);
  return staticPages({
    '/console': () => staticResponse('text/html; charset=utf-8', page(), POLICY),
    '/console/service.json': () => jsonResponse(describeService(service, kinds, content)),
    ...Object.fromEntries(
      kinds.map((kind) => [
        `/console/kinds/${kind.plural}.json`,
        () => jsonResponse(describeKind(kind, content)),
      ]),
    ),
    ...Object.fromEntries(
      content.files.names.map((name) => [
        `/console/${name}`,
        async () => staticResponse(typeOf(name), (await content.files.read())[name], FOREVER),
      ]),
    ),
  });
}

const TYPES: { [extension: string]: string } = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.txt': 'text/plain',
};

function typeOf(name: string): string {
  return `${TYPES[extname(name)]}; charset=utf-8`;
}

function pageOf(name: string, { script, style }: ConsoleFiles): string {
  const head = `<link rel="stylesheet" href="./console/${style}">
    <script type="module" src="./console/${script}"></script>`;
  const body = `<noscript>The console needs JavaScript. The <a href="./docs">documentation</a> describes the API.</noscript>
    <div id="console"></div>`;
  return htmlPage({ title: name, head, body });
}

/** The settings with texts that are never secret; others may hold passwords, as URLs do. */
const PUBLIC_TEXTS = new Set(['HOST', 'LOG_LEVEL', 'WEBHOOK_MODE', 'NATS_STREAM']);

/**
 * `GET /console/settings.json`: the settings of the service, without the values of those that may be secret. It is
 * guarded like `/metrics`. `descriptions` has the settings that the service has.
 */
function settingsPage(
  { settings }: Pick<Service, 'settings'>,
  descriptions: ConsoleContent['settings'],
): Page {
  return (req, res) => {
    const shown = Object.keys(SETTINGS).filter((name): name is keyof Settings => name in descriptions);
    const body: ConsoleSettings = {
      node: process.version,
      uptimeSeconds: Math.floor(process.uptime()),
      settings: shown.map((name) => describeSetting(name, descriptions[name], settings[name])),
    };
    res.setHeader('Cache-Control', 'no-store');
    sendJson(req, res, 200, body);
  };
}

function describeSetting(
  name: keyof Settings,
  description: string,
  value: Settings[keyof Settings],
): ConsoleSetting {
  const { fallback } = (SETTINGS as SettingsTable)[name];
  const isSecret = typeof value === 'string' && !PUBLIC_TEXTS.has(name);
  return {
    ...{ name, description },
    isDefault: String(value) === String(fallback),
    ...(!isSecret && { value: String(value) }),
  };
}
