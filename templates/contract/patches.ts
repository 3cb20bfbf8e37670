import type { Resource } from '../runtime/model/resource';
import type { JsonObject } from '../runtime/model/schema';
import { PATCH_MEDIA_TYPES } from '../runtime/patch/apply-patch';
import { expectUnchanged, JSON_PATCH, MERGE, type Place, SHORTHAND } from './place';

/** A patch and the status of its response. */
type Row = [type: string, body: unknown, status: number];

/** Returns patches that are refused, of the resource and of its status alike. */
function refused(part: 'spec' | 'status'): Row[] {
  // No field can have this name.
  const unknown = '$unknown';
  const label = { op: 'add', path: '/metadata/labels', value: { half: 'done' } };
  return [
    [MERGE, '{', 400],
    [MERGE, [], 400],
    [MERGE, 'null', 400],
    [JSON_PATCH, '[', 400],
    [JSON_PATCH, {}, 400],
    [JSON_PATCH, [label, { op: 'increase', path: `/${part}` }], 400],
    [JSON_PATCH, [label, { op: 'add', path: part, value: {} }], 400],
    [JSON_PATCH, [label, { op: 'move', path: `/${part}` }], 400],
    [JSON_PATCH, [label, { op: 'remove', path: `/${part}/${unknown}` }], 422],
    [JSON_PATCH, [label, { op: 'test', path: `/${part}`, value: 'other' }], 422],
    [JSON_PATCH, [label, { op: 'copy', from: `/${unknown}`, path: `/${part}/${unknown}` }], 422],
    [SHORTHAND, '{', 400],
    [SHORTHAND, [], 400],
    [SHORTHAND, { 'metadata.labels.half': 'done', metadata: {} }, 400],
    [SHORTHAND, { 'metadata.labels.half': 'done', [`${part}..${unknown}`]: 1 }, 400],
    [SHORTHAND, { 'metadata.labels.half': 'done', 'metadata.uid.part': 1 }, 422],
    // Patches that break a rule.
    [MERGE, { [part]: { [unknown]: 1 } }, 400],
    [JSON_PATCH, [label, { op: 'add', path: `/${part}/${unknown}`, value: 1 }], 400],
    [SHORTHAND, { 'metadata.labels.half': 'done', [`${part}.${unknown}`]: 1 }, 400],
  ];
}

/** Without a spec a document is no resource (specification, "Errors"); without a status it is one. */
const REMOVED = { spec: 500, status: 400 } as const;

/** Checks all three types of patch, of the resource or of its status (specification, "Patch media types"). */
export function patches(place: Place, part: 'spec' | 'status'): void {
  const suffix = part === 'status' ? '/status' : '';
  const rows: Row[] = [
    ...refused(part),
    [MERGE, { [part]: part === 'spec' ? null : 'x' }, REMOVED[part]],
    [JSON_PATCH, [{ op: 'remove', path: `/${part}` }], REMOVED[part]],
    [SHORTHAND, { [part]: null }, REMOVED[part]],
  ];

  test.each(PATCH_MEDIA_TYPES)('%s: refused patches change nothing', async (type) => {
    const found = await place.fresh({ labels: { before: 'yes' } });
    for (const [, body, want] of rows.filter(([of]) => of === type)) {
      const { status, text } = await place.patch(found.url + suffix, type, body);
      expect([body, status, text]).toEqual([body, want, text]);
      await expectUnchanged(place, found);
    }
  });

  test('another type: 415 with Accept-Patch', async () => {
    const found = await place.fresh();
    for (const type of ['application/json', 'text/plain']) {
      const { status, headers } = await place.patch(found.url + suffix, type, {});
      expect([type, status, headers['accept-patch']]).toEqual([type, 415, PATCH_MEDIA_TYPES.join(', ')]);
    }
    await expectUnchanged(place, found);
  });

  if (part === 'spec') appliedToResource(place);
  else appliedToStatus(place);
}

function appliedToResource(place: Place): void {
  const added: { [type in (typeof PATCH_MEDIA_TYPES)[number]]: (name: string) => unknown } = {
    [MERGE]: (name) => ({ metadata: { name, labels: { half: null, added: 'yes' } } }),
    [JSON_PATCH]: (name) => [
      { op: 'test', path: '/kind', value: place.kind.kind },
      { op: 'add', path: '/metadata/labels', value: { added: 'yes' } },
      { op: 'replace', path: '/metadata/name', value: name },
    ],
    [SHORTHAND]: (name) => ({
      'metadata.name': name,
      'metadata.labels.half': null,
      'metadata.labels.added': 'yes',
    }),
  };
  test.each(PATCH_MEDIA_TYPES)('%s applies, and leaves the rest', async (type) => {
    const { url, shown } = await place.fresh({ labels: { half: 'done' } });
    const name = place.name('patched');
    const { status, text } = await place.patch(url, type, added[type](name));
    const { metadata, spec } = JSON.parse(text) as Resource;
    expect([status, text]).toEqual([200, text]);
    expect([metadata.name, metadata.labels, spec]).toEqual([name, { added: 'yes' }, shown.spec]);
    expect(metadata.generation).toBe(shown.metadata.generation);
  });

  // The conversion decides what the hub loses when a version removes a field.
  if (!place.isHub) return;
  const { properties = {}, required = [] } = place.fields.spec;
  const optional = Object.keys(place.sample.spec).find(
    (name) => !required.includes(name) && properties[name].default === undefined,
  );
  if (optional === undefined) return;
  const removed: { [type in (typeof PATCH_MEDIA_TYPES)[number]]: (name: string) => unknown } = {
    [MERGE]: (name) => ({ spec: { [name]: null } }),
    [JSON_PATCH]: (name) => [{ op: 'remove', path: `/spec/${name}` }],
    [SHORTHAND]: (name) => ({ [`spec.${name}`]: null }),
  };
  test.each(PATCH_MEDIA_TYPES)('%s removes a field', async (type) => {
    const { url, shown } = await place.fresh();
    const { text } = await place.patch(url, type, removed[type](optional));
    const { spec, metadata } = JSON.parse(text) as Resource;
    const { [optional]: _, ...rest } = shown.spec;
    expect([spec, metadata.generation]).toEqual([rest, shown.metadata.generation + 1]);
  });
}

function appliedToStatus(place: Place): void {
  const { properties = {} } = place.fields.status;
  if (!Object.hasOwn(properties, 'status') && !Object.hasOwn(properties, 'apiVersion')) {
    test('a merge patch without a member `status` is a status', async () => {
      const full = await place.fresh();
      const { url } = await place.fresh();
      await place.send('PUT', `${url}/status`, { body: { status: {} } });
      const { text } = await place.patch(`${url}/status`, MERGE, place.statusOf(full));
      const { version: _, ...status } = (JSON.parse(text) as Resource).status ?? {};
      const { version: __, ...want } = place.statusOf(full);
      expect(withoutNull(status)).toEqual(withoutNull(want));
    });
  }

  const of: { [type in (typeof PATCH_MEDIA_TYPES)[number]]: (status: JsonObject) => unknown } = {
    [MERGE]: (status) => ({ status }),
    [JSON_PATCH]: (status) => [{ op: 'add', path: '/status', value: status }],
    [SHORTHAND]: (status) => ({ status }),
  };
  test.each(PATCH_MEDIA_TYPES)('%s writes the status', async (type) => {
    const full = await place.fresh();
    const { url, shown } = await place.fresh();
    const status = place.statusOf(full);
    await place.send('PUT', `${url}/status`, { body: { status: {} } });
    const response = await place.patch(`${url}/status`, type, of[type](status));
    const after = await place.find(shown.metadata.uid);
    expect([response.status, response.text]).toEqual([200, after.text]);
    expect(withoutNull(place.statusOf(after))).toEqual(withoutNull(status));
    expect(after.shown.spec).toEqual(shown.spec);
  });
}

/** Returns a copy without members that are null, which a merge patch removes. */
function withoutNull(value: JsonObject): unknown {
  return JSON.parse(JSON.stringify(value, (_, member: unknown) => (member === null ? undefined : member)));
}
