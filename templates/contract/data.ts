import { selectableIn } from '../runtime/data/plan/kind-plan';
import type { SelectableField } from '../runtime/model/kinds/kind-data';
import type { Failure } from '../runtime/model/problem';
import type { Resource } from '../runtime/model/resource';
import type { Json, JsonObject } from '../runtime/model/schema';
import type { Found, Place } from './place';

/** Number of resources in the lists. */
const COUNT = 3;

const NEW = { 'If-None-Match': '*' };

/** Checks names, fields and references of a kind: selectors, sorts, and the refusals of what breaks a promise. */
export function data(place: Place): void {
  const { kind, version } = place;
  const fields = selectableIn(kind.data!, version);
  if (fields.length > 0) selected(place, fields);
  for (const query of ['fieldSelector=spec.no_field', 'sort=spec.no_field', 'expand=spec.no_field'])
    test(`?${query}: 400`, async () => {
      expect((await place.send('GET', `${place.url}?${query}`)).status).toBe(400);
    });
  if (kind.data!.uniqueNames) names(place);
  if (place.isHub) refused(place);
}

function selected(place: Place, fields: readonly SelectableField[]): void {
  const run = `data-${place.version}-${Math.random().toString(36).slice(2)}`;
  let all: Resource[] = [];
  const list = async (query: string): Promise<Resource[]> => {
    const { status, text } = await place.send('GET', `${place.url}?label=run%3D${run}&${query}`);
    expect([status, text]).toEqual([200, text]);
    return JSON.parse(text) as Resource[];
  };
  beforeAll(async () => {
    for (let n = 0; n < COUNT; n++) all.push((await place.fresh({ labels: { run } })).shown);
    all = await list('');
  });

  for (const field of fields) {
    const name = field.path.join('.');
    test(`fieldSelector by ${name}`, async () => {
      const [value] = valuesOf(all[0], field);
      const terms: [term: string, matches: (values: Json[]) => boolean][] = [
        [name, (values) => values.length > 0],
        [`!${name}`, (values) => values.length === 0],
      ];
      // The values that a resource shows equal themselves, whatever the type.
      if (value !== undefined)
        terms.push(
          [`${name}=${escaped(value)}`, (values) => values.includes(value)],
          [`${name}!=${escaped(value)}`, (values) => !values.includes(value)],
          [`${name} in (${escaped(value)})`, (values) => values.includes(value)],
        );
      for (const [term, matches] of terms) {
        const found = await list(`fieldSelector=${encodeURIComponent(term)}`);
        expect([term, found]).toEqual([term, all.filter((each) => matches(valuesOf(each, field)))]);
      }
    });
    if (!field.isList) test(`sort by ${name}`, () => sorted(list, field));
  }
}

async function sorted(list: (query: string) => Promise<Resource[]>, field: SelectableField): Promise<void> {
  const name = field.path.join('.');
  const up = await list(`sort=${name}`);
  expect(up).toHaveLength(COUNT);
  const keys = up.map((each) => keyOf(valuesOf(each, field)[0], field));
  // Absent values come last.
  const present = keys.filter((key) => key !== undefined);
  expect(keys.slice(0, present.length)).toEqual(present);
  expect(present).toEqual([...present].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0)));
  expect(
    await list(`sort=-${name},-metadata.createdAt`.replace(/^(sort=-metadata.createdAt),.*/, '$1')),
  ).toEqual(up.toReversed());
}

/** Returns a value so that `<` orders it: strings by their code points. */
function keyOf(value: Json | undefined, { type }: SelectableField): string | number | undefined {
  if (value === undefined) return undefined;
  if (type === 'timestamp') return Date.parse(String(value));
  return typeof value === 'string' ? Buffer.from(value).toString('hex') : Number(value);
}

/** Returns the value of a field, or those of a list; none where it is absent. */
function valuesOf(resource: Resource, { path }: SelectableField): Json[] {
  const value = valueAt(resource, path);
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function escaped(value: Json): string {
  return String(value).replace(/[ ,=!<>()\\]/g, '\\$&');
}

function names(place: Place): void {
  test('a name in place of the uid', async () => {
    const { text, shown } = await place.fresh({ name: place.name('data-named') });
    expect((await place.send('GET', `${place.url}/${shown.metadata.name}`)).text).toBe(text);
  });

  test('PUT with If-None-Match: * creates once', async () => {
    if (!place.isHub) return;
    const url = `${place.url}/${place.name('data-put')}`;
    const { spec } = await place.bodies.next();
    const put = async (): Promise<number> =>
      (await place.send('PUT', url, { headers: NEW, body: { spec } })).status;
    expect([await put(), await put()]).toEqual([201, 412]);
  });
}

function refused(place: Place): void {
  const { unique = [], immutable = [], uniqueNames } = place.kind.data!;
  const taken = uniqueNames ? [['metadata', 'name'], ...unique] : unique;
  if (taken.length > 0)
    test('a name or value that another resource has: 409, if there is any', async () => {
      const { shown } = await place.fresh(uniqueNames ? { name: place.name('data-taken') } : {});
      const body = { metadata: { name: shown.metadata.name }, spec: shown.spec };
      const { status, text } = await place.send('POST', place.url, { body });
      const clashes = taken.filter((path) => valueAt(shown, path) !== undefined).map(pointerOf);
      const wanted = clashes.length === 0 ? 201 : 409;
      expect([status, failuresOf(text)]).toEqual([wanted, clashes.map((pointer) => `${pointer} unique`)]);
    });

  for (const path of immutable)
    test(`${path.join('.')} is immutable: 400`, async () => {
      const { url, shown } = await place.fresh();
      if (valueAt(shown, path) === undefined) return;
      // A required field is missed first.
      const [failure] = await failuresAfter(place, { url, shown }, path, undefined);
      expect([`${pointerOf(path)} immutable`, `${pointerOf(path)} required`]).toContain(failure);
    });

  for (const { path, kind, isList } of place.kind.data!.references ?? [])
    test(`${path.join('.')} without a target: 400`, async () => {
      const found = await place.fresh();
      const value = 'no-such-target';
      const failures = await failuresAfter(place, found, path, isList ? [value] : value);
      // Rules of the field may refuse the value before the target is looked for.
      if (failures.some((failure) => failure.endsWith(` ref=${kind}`)))
        expect(failures).toEqual([`${pointerOf(path)}${isList ? '/0' : ''} ref=${kind}`]);
      else expect(failures.join()).toContain(pointerOf(path));
    });
}

/** Returns the failures of a replacement that changes one field. */
async function failuresAfter(
  place: Place,
  { url, shown }: Pick<Found, 'url' | 'shown'>,
  path: readonly string[],
  value: Json | undefined,
): Promise<string[]> {
  const spec: JsonObject = structuredClone(shown.spec);
  const names = path.slice(1);
  const parent = names
    .slice(0, -1)
    .reduce<JsonObject>((object, name) => (object[name] ??= {}) as JsonObject, spec);
  const last = names.at(-1)!;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  const { status, text } = await place.send('PUT', url, { body: { spec } });
  expect([status, text]).toEqual([400, text]);
  return failuresOf(text);
}

function failuresOf(text: string): string[] {
  const { errors = [] } = JSON.parse(text) as { errors?: Failure[] };
  return errors.map(({ pointer, rule }) => `${pointer} ${rule}`);
}

function valueAt(resource: Resource, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (parent, name) => (parent as JsonObject | undefined)?.[name],
    resource as unknown as Json,
  );
}

function pointerOf(path: readonly string[]): string {
  return `#/${path.join('/')}`;
}
