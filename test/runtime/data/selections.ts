import { Agent } from 'node:http';
import * as fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { loadProject } from '../../../src/load/load-project';
import { versionSchemas } from '../../../src/model/json-schema';
import type { Project } from '../../../src/model/project';
import { arbitrary } from '../../../templates/laws/arbitrary';
import { selectableIn } from '../../../templates/runtime/data/plan/kind-plan';
import type { KindDefinition } from '../../../templates/runtime/model/kinds/kind';
import type { SelectableField } from '../../../templates/runtime/model/kinds/kind-data';
import type { Resource } from '../../../templates/runtime/model/resource';
import type { Json, JsonObject } from '../../../templates/runtime/model/schema';
import { combinations, projectOf } from '../../conversion/combinations';
import { randomNumbers } from '../../support/hunt';
import { JSON_TYPE, send } from '../support/client';
import { mountedKinds, startService, type TestService } from '../support/harness';
import { expected, type Order, orderText, type Term, termText, valuesOf } from './selection-oracle';

/** The number of comparisons, and of those in one project and version; the same seed makes the same ones. */
export interface Share {
  seed: number;
  comparisons: number;
  perVersion: number;
}

const RESOURCES = 14;
const TIMES = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T01:00:00+01:00',
  '2026-01-01T00:00:00.001Z',
  '1999-12-31T23:59:59Z',
];
const OPERATORS: Term['operator'][] = [
  ...(['=', '==', '!=', '<', '<=', '>', '>='] as const),
  ...(['in', 'notin', 'present', 'absent'] as const),
];

/**
 * Compares lists that are selected and sorted by fields with a filter over the GETs of the same version, for random schemas, rules
 * between versions, resources and selectors. `url` returns a new database. Returns the numbers of comparisons and of projects.
 */
export async function compareSelections(
  url: () => Promise<string>,
  { seed, comparisons, perVersion }: Share,
): Promise<{ compared: number; projects: number; found: number }> {
  const done = { compared: 0, projects: 0, found: 0 };
  for (let number = seed; done.compared < comparisons; number++) {
    const yaml = projectWith(number);
    const { project } = loadProject('.', yaml);
    const trial = await Trial.start(project, await url(), number);
    try {
      await trial.fill();
      const { compared, found } = await trial.compare(perVersion);
      done.compared += compared;
      done.found += found;
      done.projects++;
    } catch (error) {
      throw new Error(`seed ${number}: ${(error as Error).message}\n${yaml}`, { cause: error });
    } finally {
      await trial.close();
    }
  }
  return done;
}

/** Returns the project.yaml of a random combination of rules, in which all that can be selectable is. */
function projectWith(seed: number): string {
  const [combination] = fc.sample(combinations, { numRuns: 1, seed });
  const document = parse(projectOf(combination)) as {
    validation?: string;
    groups: { kinds: { versions: { [version: string]: { spec: JsonObject; conversion?: Json[] } } }[] }[];
  };
  // Other modes store values of other types.
  if (seed % 3 === 0) document.validation = seed % 2 === 0 ? 'warn' : 'disabled';
  for (const [version, { spec, conversion }] of Object.entries(document.groups[0].kinds[0].versions)) {
    const isHub = conversion === undefined;
    spec['when'] = 'timestamp';
    spec[isHub ? 'rate' : `rate${version}`] = 'number';
    const factor = isHub || version === 'v1beta1' ? 0.01 : '1/3';
    conversion?.push({ scale: { hub: 'spec.rate', spoke: `spec.rate${version}`, factor } });
    if (isHub) declare(spec);
  }
  return stringify(document);
}

const SCALARS = ['string', 'integer', 'number', 'boolean', 'timestamp'];

/** Makes the fields of an object selectable, at any depth that is not below a list or a map. */
function declare(fields: JsonObject): void {
  for (const [name, field] of Object.entries(fields)) {
    const full = (typeof field === 'string' ? { type: field } : field) as JsonObject;
    if (full['type'] === 'object') declare(full['fields'] as JsonObject);
    const items = full['items'];
    const type = full['type'] === 'list' ? (typeof items === 'string' ? items : undefined) : full['type'];
    if (SCALARS.includes(String(type))) fields[name] = { ...full, selectable: true };
  }
}

/** A service with random resources. */
class Trial {
  readonly #random: () => number;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #kind: KindDefinition;

  private constructor(
    private readonly project: Project,
    private readonly service: TestService,
    private readonly seed: number,
  ) {
    this.#random = randomNumbers(seed);
    this.#kind = mountedKinds(project)[0].kind;
  }

  static async start(project: Project, url: string, seed: number): Promise<Trial> {
    return new Trial(project, await startService(project, { environment: { DATABASE_URL: url } }), seed);
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await this.service.close();
  }

  /** Creates resources through all versions; those that break rules of the storage version are refused. */
  async fill(): Promise<void> {
    const [group] = this.project.groups;
    const [kind] = group.kinds;
    for (let n = 0; n < RESOURCES; n++) {
      const version = this.#one(kind.versions);
      const { spec, types } = versionSchemas(group, kind, version);
      const [sample] = fc.sample(arbitrary(spec, types), {
        numRuns: 1,
        seed: this.seed * 100 + n,
      }) as JsonObject[];
      if (this.#random() < 0.7) sample['when'] = this.#one(TIMES);
      if (this.project.validation !== 'strict' && this.#random() < 0.3) this.#spoil(sample);
      await this.#send('POST', this.#urlOf(version.version), { spec: sample });
    }
  }

  /** Replaces a value by one of another type. */
  #spoil(sample: JsonObject): void {
    const names = Object.keys(sample);
    if (names.length > 0)
      sample[this.#one(names)] = this.#one<Json>([7, 'text', true, ['x', 1], { a: 1 }, '']);
  }

  /** Compares in each version, and returns how many lists were right, and how many resources they had. */
  async compare(perVersion: number): Promise<{ compared: number; found: number }> {
    const done = { compared: 0, found: 0 };
    for (const { version } of this.project.groups[0].kinds[0].versions) {
      const url = this.#urlOf(version);
      const all = await this.#read(url);
      const fields = selectableIn(this.#kind.data!, version);
      const resources = [...all.keys()];
      for (let n = 0; n < perVersion; n++) {
        const terms = Array.from({ length: this.#one([0, 1, 1, 1, 2]) }, () =>
          this.#term(this.#one(fields), resources),
        );
        const order = this.#order(fields);
        done.found += await this.#compareOne({ url, all, terms, order });
        done.compared++;
      }
    }
    return done;
  }

  /** Returns the GET of each resource, in order of creation. */
  async #read(url: string): Promise<Map<Resource, string>> {
    const all = new Map<Resource, string>();
    const listed = JSON.parse(await this.#list(url)) as Resource[];
    for (const { metadata } of listed) {
      const { text } = await this.#send('GET', `${url}/${metadata.uid}`);
      all.set(JSON.parse(text) as Resource, text);
    }
    return all;
  }

  async #compareOne(lists: {
    url: string;
    all: ReadonlyMap<Resource, string>;
    terms: Term[];
    order?: Order;
  }): Promise<number> {
    const { url, all, terms, order } = lists;
    const parameters = new URLSearchParams();
    if (terms.length > 0) parameters.append('fieldSelector', terms.map(termText).join(','));
    if (order !== undefined) parameters.append('sort', orderText(order));
    if (this.#random() < 0.2) parameters.append('limit', String(1 + Math.floor(this.#random() * 4)));
    const query = `${url}?${parameters.toString()}`;
    const found = await this.#list(query);
    const want = expected([...all.keys()], terms, order);
    const text = `[${want.map((each) => all.get(each)).join(',')}]`;
    if (found !== text) throw new Error(`${decodeURIComponent(query)}\nfound ${found}\nnot ${text}`);
    return want.length;
  }

  #order(fields: readonly SelectableField[]): Order | undefined {
    if (this.#random() < 0.5) return undefined;
    const field = this.#one(fields.filter(({ isList }) => !isList));
    return { field, descending: this.#random() < 0.5, newestFirst: this.#random() < 0.3 };
  }

  #term(field: SelectableField, all: readonly Resource[]): Term {
    const operators = field.type === 'boolean' ? OPERATORS.filter((each) => !/[<>]/.test(each)) : OPERATORS;
    const operator = this.#one(operators);
    const count = ['in', 'notin'].includes(operator) ? 1 + Math.floor(this.#random() * 3) : 1;
    const isAlone = operator === 'present' || operator === 'absent';
    return {
      field,
      operator,
      values: isAlone ? [] : Array.from({ length: count }, () => this.#value(field, all)),
    };
  }

  /** A value that some resource has, or one near to it. */
  #value(field: SelectableField, all: readonly Resource[]): string {
    const seen = all.flatMap((resource) => valuesOf(resource, field));
    const chance = this.#random();
    if (field.type === 'boolean') return String(chance < 0.5);
    if (field.type === 'timestamp')
      return seen.length > 0 && chance < 0.6
        ? new Date(Number(this.#one(seen))).toISOString()
        : this.#one(TIMES);
    const one = seen.length > 0 && chance < 0.8 ? this.#one(seen) : undefined;
    if (field.type === 'number' || field.type === 'integer')
      return String(Number(one ?? 3) + (chance < 0.2 ? this.#one([1, -1, 0.5]) : 0));
    const text = String(one ?? this.#one(['', 'a', 'x y', '\u{1F600}', '\uFFFF', '=,!']));
    return chance < 0.2 ? text.slice(0, -1) : text;
  }

  /** Returns all resources of a list, page by page, as one JSON array. */
  async #list(first: string): Promise<string> {
    const pages: string[] = [];
    for (let next: string | undefined = first; next !== undefined;) {
      const { status, text, headers } = await this.#send('GET', next);
      if (status !== 200) throw new Error(`${decodeURIComponent(next)}: ${status} ${text}`);
      if (text !== '[]') pages.push(text.slice(1, -1));
      next = /<([^>]*)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1];
    }
    return `[${pages.join(',')}]`;
  }

  #urlOf(version: string): string {
    const { group, plural } = this.#kind;
    return `/apis/${group}/${version}/${plural}`;
  }

  #send(method: string, path: string, body?: object): ReturnType<typeof send> {
    const headers = body === undefined ? {} : JSON_TYPE;
    return send(this.service.port, method, path, { headers, body, agent: this.#agent });
  }

  #one<T>(all: readonly T[]): T {
    return all[Math.floor(this.#random() * all.length)];
  }
}
