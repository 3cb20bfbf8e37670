import type { StoredResource, Write } from '../../../templates/runtime/store/store';

export const KIND = 'example.svc.dev/Device';
export const OTHER_KIND = 'example.svc.dev/Book';

/** A page of the snapshots of a resource that has all of them. */
export const ALL_SNAPSHOTS = { after: '', limit: 1_000 };

type Create = Extract<Write, { action: 'create' }>;
type Update = Extract<Write, { action: 'update' }>;

export function creation(uid: string, more: Partial<Create> = {}): Create {
  return {
    action: 'create',
    kind: KIND,
    uid,
    version: 'v1',
    text: `{"uid":"${uid}"}`,
    etag: `"${uid}"`,
    kept: null,
    labels: {},
    ...more,
  };
}

/** Returns a creation with an event whose text is the uid. */
export function creationWithEvent(uid: string): Create {
  return creation(uid, { event: { id: `e-${uid}`, type: 'io.svc.device.created', text: uid, kept: null } });
}

export function updateOf({ id, uid, revision }: StoredResource, more: Partial<Update> = {}): Update {
  return {
    action: 'update',
    kind: KIND,
    id,
    uid,
    revision,
    version: 'v1',
    text: '{"updated":true}',
    etag: '"new"',
    kept: null,
    ...more,
  };
}

export function deletionOf({ id, uid, revision }: StoredResource): Write {
  return { action: 'delete', kind: KIND, id, uid, revision };
}

export const snapshot = (versionId: string, text = `{"version":"${versionId}"}`) => ({
  versionId,
  version: 'v1',
  text,
  kept: null,
});
