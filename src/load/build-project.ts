import { OPTIONAL_PARTS } from '../model/optional-parts';
import type { ApiInfo, DatabaseKind, Project, SecurityScheme, ValidationMode } from '../model/project';
import { didYouMean, quoted } from '../model/quoted';
import { buildGroup, groupName } from './build-group';
import type { TypeImports } from './imports';
import { firstPlaces, type Located } from './yaml/located';

/**
 * The project that a file describes, defaults filled in. Everything that is wrong in it is reported where it stands, except
 * what the JSON Schema of project.yaml finds; the result is of use only when nothing is.
 */
export function buildProject(root: Located, imports: TypeImports): Project {
  const groups = root.get('groups').items();
  const names = groups.map((group) => [groupName(group), group.get('name')] as const);
  firstPlaces(names, 'group', 'value');
  const taken = {
    plurals: new Map<string, Located>(),
    kindNames: new Set<string>(),
    typeNames: new Set<string>(),
    groups: kindGroups(groups),
    kubernetes: root.get('kubernetes').value === true,
  };
  const built = groups.map((group) => buildGroup(group, imports, taken));
  if (taken.kubernetes) checkKubernetes(root, taken.plurals.get('k8s'));
  return {
    name: root.get('name').text ?? '',
    validation: (root.get('validation').text ?? 'strict') as ValidationMode,
    events: hasEvents(root),
    nats: root.get('events').get('nats').value === true,
    console: buildConsole(root),
    kubernetes: taken.kubernetes,
    databases: buildDatabases(root.get('databases')),
    parts: buildParts(root),
    requireIfMatch: root.get('requireIfMatch').value === true,
    cacheControl: buildCacheControl(root.get('cacheControl')) || 'no-cache',
    info: buildInfo(root.get('info'), root.get('name').text ?? ''),
    security: buildSecurity(root.get('security')),
    groups: built,
  };
}

/** Returns the group of each kind; of the first, where several groups have a kind of the same name. */
function kindGroups(groups: Located[]): Map<string, string> {
  const all = groups.flatMap((group) => {
    const kinds = group.get('kinds').items();
    return kinds.map((kind): [string, string] => [kind.get('name').text ?? '', groupName(group)]);
  });
  return new Map(all.reverse());
}

/** Returns whether the service has a console. Reports missing pages where project.yaml asks for it. */
function buildConsole(root: Located): boolean {
  const [place, pages] = [root.get('console'), root.get('pages')];
  if (place.value === true && pages.value === false)
    place.problem('the console needs the pages', 'remove "pages: false", or write "console: false"');
  return place.value !== false && pages.value !== false;
}

/** Returns true for `events: true`, and for events with options. */
function hasEvents(root: Located): boolean {
  const place = root.get('events');
  return place.value === true || place.isMapping;
}

/** Reports what Kubernetes clients could not work with. `k8s` is the name of the kind with this plural. */
function checkKubernetes(root: Located, k8s: Located | undefined): void {
  const place = root.get('kubernetes');
  if (!hasEvents(root)) {
    const hint = 'write "events: true", or remove "kubernetes: true"';
    place.problem('Kubernetes clients watch resources, which needs events', hint);
  }
  if (k8s !== undefined) {
    const hint = `give the kind another "plural"; it is at ${k8s.place}`;
    const message = `Kubernetes clients use the path /k8s, and so does the kind ${quoted(k8s.text ?? '')}`;
    place.problem(message, hint);
  }
  root.get('groups').items().forEach(checkKubernetesNames);
}

/** Kinds that Kubernetes has in every group: kubectl takes an object of them for one of its own. */
const KUBERNETES_KINDS = ['Status', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList'];

/** Reports kinds with a name that Kubernetes uses: one of its own kinds, or DeviceList next to Device. */
function checkKubernetesNames(group: Located): void {
  const kinds = group.get('kinds').items();
  const names = kinds.map((kind) => kind.get('name'));
  for (const name of names) {
    const { text } = name;
    if (KUBERNETES_KINDS.includes(text ?? ''))
      name.problem(
        `${text} is a kind of Kubernetes itself in every group: kubectl apply fails for objects of this kind`,
        'give the kind another name',
      );
    const list = names.find((each) => text !== undefined && each.text === `${text}List`);
    list?.problem(
      `Kubernetes clients call a list of ${text} ${list.text}, which is the name of this kind too`,
      'give one of the two kinds another name',
    );
  }
}

const DATABASES: readonly DatabaseKind[] = ['sqlite', 'postgres'];

/** Returns the kinds of databases, each once, in the same order whatever the file says. */
function buildDatabases(place: Located): DatabaseKind[] {
  const named = place.items().map(({ text }) => text);
  return DATABASES.filter((each) => named.length === 0 || named.includes(each));
}

/** Returns the parts that the service has: all but those that the file switches off. */
function buildParts(root: Located): Project['parts'] {
  const [client, ctl] = [root.get('client'), root.get('ctl')];
  if (client.value === false && ctl.value === true)
    ctl.problem('the command line needs the client', 'remove "client: false", or write "ctl: false"');
  const parts = OPTIONAL_PARTS.map((part) => [part, root.get(part).value !== false]);
  const has = Object.fromEntries(parts) as Project['parts'];
  return { ...has, ctl: has.ctl && has.client };
}

/** The default licence: none. */
const UNLICENSED = { name: 'Not licensed to others', identifier: 'LicenseRef-UNLICENSED' };

/** Returns the description of the API as a whole. Reports a wrong URL, email or licence. */
function buildInfo(place: Located, service: string): ApiInfo {
  const title = place.get('title').text ?? service;
  const contact = texts(place.get('contact'));
  const license = texts(place.get('license'));
  for (const holder of ['contact', 'license']) checkUrl(place.get(holder).get('url'));
  const email = place.get('contact').get('email');
  if (email.text !== undefined && !/^[^\s@]+@[^\s@]+$/.test(email.text))
    email.problem('"email" is not an email address', 'write name@example.com for example');
  if (license['identifier'] !== undefined && license['url'] !== undefined) {
    const hint = 'OpenAPI 3.1 allows one of the two: keep the identifier, or the url';
    place.get('license').keyProblem('a licence has both an identifier and a url', hint);
  }
  return {
    title,
    description: place.get('description').text ?? '',
    version: place.get('version').text ?? '1.0.0',
    contact: Object.keys(contact).length > 0 ? contact : { name: title },
    license: { ...UNLICENSED, ...(place.get('license').absent ? {} : { identifier: undefined, ...license }) },
  };
}

/** The strings of a mapping. */
function texts(place: Located): { [key: string]: string } {
  return Object.fromEntries(
    place.entries().flatMap(([key, { text }]) => (text === undefined ? [] : [[key, text]])),
  );
}

function checkUrl(place: Located): void {
  if (place.text === undefined || /^https?:\/\/[^/]/.test(place.text)) return;
  place.problem('"url" is not an absolute URL', 'write https://example.com/… for example');
}

/** Headers that mean something else to HTTP or to the service. */
const TAKEN = (
  'accept accept-encoding connection content-encoding content-length content-type cookie cache-control date expect ' +
  'forwarded host idempotency-key if-match if-modified-since if-none-match if-unmodified-since keep-alive last-event-id ' +
  'origin te trailer traceparent tracestate transfer-encoding upgrade user-agent x-request-id'
).split(' ');

/** The schemes that `security` declares. Reports those that are declared twice, and headers that cannot carry a key. */
function buildSecurity(place: Located): SecurityScheme[] {
  const seen = new Set<string>();
  return place.items().flatMap((item): SecurityScheme[] => {
    const header = item.get('apiKey').text;
    if (item.text !== undefined && item.text !== 'bearer') reportUnknown(item, item.text);
    if (item.text !== 'bearer' && header === undefined) return [];
    const name = header?.toLowerCase() ?? 'bearer';
    const at = header === undefined ? item : item.get('apiKey');
    if (seen.has(name)) at.problem(`${quoted(header ?? 'bearer')} is declared twice`);
    if (name === 'authorization')
      at.problem('the header Authorization carries a bearer token', 'write bearer');
    if (TAKEN.includes(name) || /^(?:proxy|sec)-/.test(name))
      at.problem(`the header ${quoted(header!)} cannot carry a key`, 'use one such as X-API-Key');
    seen.add(name);
    return [header === undefined ? { type: 'bearer' } : { type: 'apiKey', header }];
  });
}

function reportUnknown(item: Located, name: string): void {
  const meant = didYouMean(name, ['bearer', 'apiKey']);
  const hint = meant?.includes('apiKey') ? 'write { apiKey: X-API-Key }' : meant;
  item.problem(`unknown security scheme ${quoted(name)}`, hint ?? 'write bearer or { apiKey: X-API-Key }');
}

/** The response directives of RFC 9111, section 5.2.2, RFC 5861 and RFC 8246; true for those with a number of seconds. */
const DIRECTIVES: { readonly [name: string]: boolean } = {
  'no-store': false,
  'no-cache': false,
  'no-transform': false,
  public: false,
  private: false,
  immutable: false,
  'must-revalidate': false,
  'proxy-revalidate': false,
  'must-understand': false,
  'max-age': true,
  's-maxage': true,
  'stale-while-revalidate': true,
  'stale-if-error': true,
};

/** The value of the header Cache-Control, its directives separated by `, `; empty for none. */
function buildCacheControl(place: Located): string {
  const directives = (place.text ?? '').split(',').map((directive) => directive.trim().toLowerCase());
  if (directives.length === 1 && directives[0] === '') return '';
  const names = directives.map((directive) => directive.split('=')[0]);
  directives.forEach((directive, index) => {
    if (names.indexOf(names[index]) < index)
      place.problem(`the directive ${quoted(names[index])} is given twice`);
    else checkDirective(directive, place);
  });
  if (names.includes('public') && names.includes('private')) {
    place.problem('a response cannot be both public and private', 'keep one of the two');
  }
  return directives.join(', ');
}

function checkDirective(directive: string, place: Located): void {
  const [, name, value] = /^([^=]*)(=.*)?$/s.exec(directive)!;
  if (!Object.hasOwn(DIRECTIVES, name)) {
    const known = Object.keys(DIRECTIVES);
    const hint = didYouMean(name, known, `the directives are ${known.join(', ')}`);
    place.problem(`unknown Cache-Control directive ${quoted(name)}`, hint);
  } else if (DIRECTIVES[name] && !/^=\d{1,9}$/.test(value ?? '')) {
    place.problem(`${name} needs a number of seconds`, `write ${name}=60 for example`);
  } else if (!DIRECTIVES[name] && value !== undefined) {
    place.problem(`${name} takes no value`, `write ${name}`);
  }
}
