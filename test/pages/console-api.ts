import type { TestService } from '../runtime/support/harness';

/** A resource as tests read it. */
interface Resource {
  metadata: { uid: string; name: string; labels?: { [key: string]: string } };
  spec: { [field: string]: unknown };
  status?: { [field: string]: unknown };
}

/** The API of a service, as other users of it call it. Each function throws an Error for a failure. */
export interface Api {
  /** Returns the uid. */
  create(plural: string, resource: object): Promise<string>;
  read(plural: string, uid: string): Promise<Resource>;
  merge(plural: string, uid: string, patch: object): Promise<void>;
  status(plural: string, uid: string, status: object): Promise<void>;
  remove(plural: string, uid: string): Promise<void>;
}

/** Returns the API of a service. */
export function api({ url }: Pick<TestService, 'url'>): Api {
  const send = async (method: string, path: string, type: string, body?: object): Promise<Resource> => {
    const headers = { 'Content-Type': type };
    const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Resource;
  };
  const JSON_TYPE = 'application/json';
  return {
    create: async (plural, resource) => (await send('POST', `/${plural}`, JSON_TYPE, resource)).metadata.uid,
    read: (plural, uid) => send('GET', `/${plural}/${uid}`, JSON_TYPE),
    merge: async (plural, uid, patch) =>
      void (await send('PATCH', `/${plural}/${uid}`, 'application/merge-patch+json', patch)),
    status: async (plural, uid, status) =>
      void (await send('PUT', `/${plural}/${uid}/status`, JSON_TYPE, { status })),
    remove: async (plural, uid) => void (await send('DELETE', `/${plural}/${uid}`, JSON_TYPE)),
  };
}
