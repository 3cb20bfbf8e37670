import { brokenValues } from './broken-values';
import { type Schema, versionSchemas } from '../json-schema';
import type { KindSubject, VersionSubject } from './kind-files';
import { Code, literal, type Printable } from './literal';
import type { Json, Kind } from '../model';
import { exampleOf } from '../openapi/example';
import { renderTemplate, type TemplateContext } from './templates';

/** One request and the status of its answer. */
type Row = [method: string, url: string, body: Printable, status: number];

const NO_BODY = undefined;
const SPEC = new Code('{ spec }');
const STATUS = new Code('{ status }');

/** `<kind>.test.ts`: a table of method, url, body and status, and one of values that break a rule. */
export function kindTestFile({ group, kind }: KindSubject): string {
  const versions = kind.versions.map((version) => versionTests({ group, kind, version }));
  const uses = [
    'checkRoutes',
    'checkSpec',
    ...(versions.some(({ hasStatus }) => hasStatus) ? ['checkStatus'] : []),
  ];
  return renderTemplate('generated/kind.test.ts', { uses: uses.join(', '), versions });
}

function versionTests(subject: VersionSubject): TemplateContext {
  const { group, kind, version } = subject;
  // What the server manages is not for clients to break: without history there is no status.version.
  const { spec, status, types } = versionSchemas(group, { ...kind, history: undefined }, version);
  const examples = { spec: example(spec, types), status: example(status, types) };
  const versioned = `/apis/${group.name}/${version.version}/${kind.plural}`;
  const isHub = version.version === group.storageVersion;
  const complete = examples.spec !== undefined && examples.status !== undefined;
  return {
    title: `${kind.name} in ${group.name}/${version.version}`,
    url: isHub ? `/${kind.plural}` : versioned,
    spec: constant('spec', examples.spec ?? {}),
    status: constant('status', examples.status ?? {}),
    routes: table(isHub && complete ? hubRoutes(kind, versioned) : routes(kind, versioned)),
    brokenSpecs: broken(spec, types, examples.spec),
    // A status is written to a resource, and only the storage version's example makes one.
    hasStatus: isHub && complete,
    brokenStatuses: broken(status, types, examples.status),
  };
}

function example(schema: Schema, types: { [name: string]: Schema }): Json | undefined {
  return exampleOf(schema, '', { types, depth: 0 });
}

/** The routes as every version serves them, without a resource. */
function routes(kind: Kind, url: string): Row[] {
  const missing = `${url}/${kind.uidPrefix}-0000000000000000`;
  return [
    ['GET', url, NO_BODY, 200],
    ['POST', url, {}, 400],
    ['POST', url, { spec: 'text' }, 400],
    ['DELETE', url, NO_BODY, 405],
    ['GET', missing, NO_BODY, 404],
    ['DELETE', missing, NO_BODY, 404],
    ['GET', `${missing}/status`, NO_BODY, 405],
  ];
}

/** The routes of the storage version, with a resource where the URL has `{uid}`. */
function hubRoutes(kind: Kind, versioned: string): Row[] {
  const url = `/${kind.plural}`;
  const item = `${url}/{uid}`;
  const history: Row[] = [
    ['GET', `${item}/versions/{versionId}`, NO_BODY, 200],
    ['DELETE', `${item}/versions/{versionId}`, NO_BODY, 200],
    ['GET', `${item}/versions/unknown`, NO_BODY, 404],
  ];
  return [
    ['POST', url, SPEC, 201],
    ['POST', url, new Code(`{ apiVersion: 'unknown.example/v1', spec }`), 406],
    ['POST', versioned, SPEC, 201],
    ['GET', item, NO_BODY, 200],
    ['PUT', item, SPEC, 200],
    ['PATCH', item, {}, 200],
    ['DELETE', item, NO_BODY, 200],
    ['POST', item, SPEC, 405],
    ['PUT', `${url}/${kind.uidPrefix}-0000000000000000`, SPEC, 404],
    ['PUT', `${item}/status`, STATUS, 200],
    ['PUT', `${item}/status`, {}, 400],
    ['PATCH', `${item}/status`, STATUS, 200],
    ['GET', `${item}/versions`, NO_BODY, kind.history ? 200 : 404],
    ...(kind.history ? history : []),
    ...routes(kind, url),
  ];
}

function broken(schema: Schema, types: { [name: string]: Schema }, example: Json | undefined): string {
  if (example === undefined) return '[]';
  return table(
    brokenValues(schema, types, example).map(({ pointer, value, rule }) => [pointer, value, rule]),
  );
}

function constant(name: string, value: Json): string {
  const start = `  const ${name} = `;
  return `${start}${literal(value, { indent: 2, column: start.length, tail: 1 })};`;
}

/** Rows of a table that is an argument on lines of its own. */
function table(rows: Printable[][]): string {
  const cells = rows.map((row) => row.map((cell) => (cell === undefined ? new Code('undefined') : cell)));
  return literal(cells, { indent: 2, column: 30, tail: 2 });
}
