import type { KindDefinition, KindVersion } from '../runtime/kind';
import type { Resource } from '../runtime/resource';
import type { JsonObject } from '../runtime/schema';
import type { Answer } from './described';
import type { Sent, TestedService } from './tested';

/** A spec and a status that keep every rule of the storage version. */
export interface Sample {
  spec: object;
  status: object;
}

/** A resource as it stands at a place. */
export interface Found {
  /** Of the resource. */
  url: string;
  text: string;
  etag: string;
  modified: string;
  shown: Resource;
}

/** Metadata that a test may give a resource. */
type Metadata = { name?: string; labels?: { [key: string]: string } };

export const JSON_TYPE = 'application/json';
export const MERGE = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';
export const SHORTHAND = 'application/shorthand-patch+json';

/** Where a kind is tested: one of its URLs, and the version that is spoken there. */
export class Place {
  readonly fields: KindVersion;
  readonly isHub: boolean;

  constructor(
    readonly service: TestedService,
    readonly kind: KindDefinition,
    readonly version: string,
    readonly url: string,
    readonly sample: Sample,
  ) {
    this.fields = kind.versions[version]!;
    this.isHub = version === kind.storageVersion;
  }

  /** A new resource that nobody else uses, with a full status: made in the storage version, found here. */
  async fresh(metadata: Metadata = {}): Promise<Found> {
    const { spec, status } = this.sample;
    const collection = `/${this.kind.plural}`;
    const created = await this.service.resource(201, 'POST', collection, { body: { metadata, spec } });
    const { uid } = created.metadata;
    await this.service.resource(200, 'PUT', `${collection}/${uid}/status`, { body: { status } });
    return this.find(uid);
  }

  /** A resource as it is now. */
  async find(uid: string): Promise<Found> {
    const url = `${this.url}/${uid}`;
    const { status, text, headers } = await this.send('GET', url);
    expect([status, text]).toEqual([200, text]);
    const shown = JSON.parse(text) as Resource;
    return { url, text, etag: headers['etag']!, modified: headers['last-modified']!, shown };
  }

  /** The status that a client may write back: without the version, where that is the server's. */
  statusOf({ shown }: Found): JsonObject {
    const { version, ...status } = shown.status ?? {};
    return this.kind.history === undefined && version !== undefined ? { version, ...status } : status;
  }

  send(method: string, url: string, sent?: Sent): Promise<Answer> {
    return this.service.send(method, url, sent);
  }

  /** A patch of one of the three types. */
  patch(url: string, type: string, body: unknown): Promise<Answer> {
    return this.send('PATCH', url, { headers: { 'Content-Type': type }, body });
  }

  /** A uid of the kind that no resource has. */
  get missing(): string {
    return `${this.url}/${this.kind.uidPrefix}-0000000000000000`;
  }
}

/** Throws unless a resource is, byte for byte, as it was found. */
export async function expectUnchanged(place: Place, found: Found): Promise<void> {
  const { text, etag } = await place.find(found.shown.metadata.uid);
  expect([text, etag]).toEqual([found.text, found.etag]);
}
