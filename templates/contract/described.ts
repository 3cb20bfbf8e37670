import { isIP } from 'node:net';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { formats } from '../runtime/model/rules/formats';

/** A response, as far as a document describes it; header names are in lowercase. */
export interface Answer {
  status: number;
  headers: { [name: string]: string };
  text: string;
}

/** A response of an operation. */
interface Described {
  headers?: { [name: string]: Reference | { required?: boolean } };
  content?: { [mediaType: string]: { schema: object } };
}

interface Operation {
  responses: { [status: string]: Described | Reference };
  security?: object[];
}

interface Reference {
  $ref: string;
}

/** The part of an OpenAPI document that responses are checked against. */
export interface OpenApi {
  paths: { [path: string]: { [method: string]: Operation } };
  components?: { schemas?: { [name: string]: object } };
}

/** Headers that any response may carry without a description: those of the transfer, of a proxy and of a deprecated version. */
const UNDESCRIBED = [
  ...[
    'connection',
    'content-length',
    'content-type',
    'date',
    'keep-alive',
    'transfer-encoding',
    'x-accel-buffering',
  ],
  ...['content-encoding', 'content-security-policy', 'referrer-policy', 'x-content-type-options'],
  ...['deprecation', 'sunset', 'link', 'warning'],
];

const PROBLEM = 'application/problem+json';
const PROBLEM_SCHEMA = { $ref: '#/components/schemas/Problem' };
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const FORMATS = {
  'date-time': formats['date-time'],
  email: formats.email,
  uri: formats.url,
  'uri-reference': (text: string) => URL.canParse(text, 'http://localhost'),
  // A range that a minimum and a maximum state as well.
  int64: true as const,
  ipv4: (text: string) => isIP(text) === 4,
  ipv6: (text: string) => isIP(text) === 6,
};

/** An OpenAPI document that responses are checked against. */
export class Description {
  private readonly ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    // Fields may have the names of properties that every object inherits.
    ownProperties: true,
    formats: FORMATS,
  });
  private readonly templates: string[][];
  private readonly validators = new Map<object, ValidateFunction>();

  constructor(private readonly document: OpenApi) {
    this.templates = Object.keys(document.paths).map((path) => path.split('/'));
    this.ajv.addSchema({ components: { schemas: document.components?.schemas ?? {} } }, 'document');
  }

  /** Returns every method and path of it, such as `GET /devices/{uid}`. */
  routes(): string[] {
    return Object.entries(this.document.paths).flatMap(([path, operations]) =>
      METHODS.filter((method) => method in operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
  }

  /** True if the service publishes events. */
  get hasEvents(): boolean {
    return '/events' in this.document.paths;
  }

  /** True if the service has pages for people. */
  get hasPages(): boolean {
    return '/docs' in this.document.paths;
  }

  /** True if the service has a console for people. */
  get hasConsole(): boolean {
    return '/console' in this.document.paths;
  }

  /** Returns whether a route, such as `GET /devices/{uid}`, requires an identified caller. */
  isGuarded(route: string): boolean {
    const [method, path] = route.split(' ') as [string, string];
    return (this.document.paths[path]?.[method.toLowerCase()]?.security ?? []).length > 0;
  }

  /**
   * Throws for an undescribed response: its status, its type, a header that is missing or not named, its body. HEAD is
   * described with GET; OPTIONS, and 404 and 405 for routes that the document lacks, in its introduction.
   */
  check(method: string, url: string, answer: Answer, accept = ''): void {
    const operations = this.operationsAt(url.split('?', 1)[0]);
    const operation = operations?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
    if (operation !== undefined) return this.checkResponse(operation.responses, method, answer, accept);
    // The service as a whole is no path.
    if (url === '*') return;
    if (operations === undefined) return this.checkProblem(404, answer);
    const allowed = METHODS.filter((name) => name in operations).map((name) => name.toUpperCase());
    const head = allowed.includes('GET') ? ['HEAD'] : [];
    expect(listed(answer.headers['allow'])).toEqual([...allowed, ...head, 'OPTIONS'].sort());
    if (method !== 'OPTIONS') this.checkProblem(405, answer);
    else expect([answer.status, answer.text]).toEqual([204, '']);
  }

  private operationsAt(path: string): OpenApi['paths'][string] | undefined {
    const { paths } = this.document;
    if (Object.hasOwn(paths, path)) return paths[path];
    const segments = path.split('/');
    const template = this.templates.find((candidate) => matches(candidate, segments));
    return template && paths[template.join('/')];
  }

  private checkResponse(
    responses: { [status: string]: Described | Reference },
    method: string,
    answer: Answer,
    accept: string,
  ): void {
    const { status, headers, text } = answer;
    const response = responses[status] ?? responses[`${String(status)[0]}XX`];
    if (response === undefined)
      throw new Error(`The document has no ${status} here: ${text.slice(0, 1_000)}`);
    const described = this.resolved<Described>(response);
    this.checkHeaders(described.headers ?? {}, headers);
    const { content } = described;
    if ((content === undefined || method === 'HEAD') && text !== '') throw new Error(`A body: ${text}`);
    if (content === undefined) return;
    const type = mediaTypeOf(content, headers['content-type'], accept);
    if (method !== 'HEAD' && type.includes('json')) this.validate(content[type].schema, text);
  }

  private checkHeaders(described: NonNullable<Described['headers']>, headers: Answer['headers']): void {
    const names = Object.keys(described).map((name) => name.toLowerCase());
    const missing = Object.keys(described).filter(
      (name) =>
        this.resolved<{ required?: boolean }>(described[name]).required && !(name.toLowerCase() in headers),
    );
    const unknown = Object.keys(headers).filter(
      (name) => !UNDESCRIBED.includes(name) && !names.includes(name),
    );
    if (missing.length > 0) throw new Error(`The response lacks the headers ${missing.join(', ')}`);
    if (unknown.length > 0) throw new Error(`The document lacks the headers ${unknown.join(', ')}`);
  }

  private checkProblem(status: number, { headers, text, ...answer }: Answer): void {
    if (answer.status !== status || headers['content-type'] !== PROBLEM)
      throw new Error(`${answer.status} ${headers['content-type']} instead of a problem ${status}: ${text}`);
    this.validate(PROBLEM_SCHEMA, text);
  }

  private validate(schema: object, text: string): void {
    let validate = this.validators.get(schema);
    if (validate === undefined) {
      validate = this.ajv.compile(absolute(schema));
      this.validators.set(schema, validate);
    }
    if (validate(JSON.parse(text))) return;
    const [first] = validate.errors ?? [];
    throw new Error(
      `The document has no such response: ${first?.instancePath} ${first?.message} in ${text.slice(0, 1_000)}`,
    );
  }

  private resolved<T>(value: T | Reference): T {
    if (!('$ref' in Object(value))) return value as T;
    const { $ref } = value as Reference;
    const found: unknown = $ref
      .slice('#/'.length)
      .split('/')
      .reduce((at: unknown, key) => (at as { [key: string]: unknown })[key], this.document);
    return found as T;
  }
}

/** Returns the media type of a response's content; where `Accept` asks for a version, the type with that version. */
function mediaTypeOf(content: object, type = '', accept: string): string {
  const asked = accept.replace(/;\s+/g, ';');
  const [essence = ''] = type.split(';', 1);
  if (Object.hasOwn(content, asked) && asked.startsWith(`${essence};`)) return asked;
  if (!Object.hasOwn(content, essence)) throw new Error(`The document lacks the type ${type}`);
  return essence;
}

function listed(header = ''): string[] {
  return header.split(', ').sort();
}

function matches(template: string[], segments: string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, index) => part.startsWith('{') || part === segments[index])
  );
}

function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
}
