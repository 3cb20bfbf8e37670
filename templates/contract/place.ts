import type { KindDefinition, KindVersion } from '../runtime/model/kinds/kind';
import type { Resource } from '../runtime/model/resource';
import type { Json, JsonObject } from '../runtime/model/schema';
import type { MountedKind } from '../runtime/mount';
import type { Answer } from './described';
import type { Sent, TestedService } from './tested';
import { variant } from './variant';

/** A spec and a status that follow every rule of the storage version. */
export interface Sample {
  spec: object;
  status: object;
  /** The bodies of new resources. */
  bodies: FreshBodies;
}

/** A resource as a place shows it. */
export interface Found {
  /** URL of the resource. */
  url: string;
  text: string;
  etag: string;
  modified: string;
  shown: Resource;
}

export const JSON_TYPE = 'application/json';
export const MERGE = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';
export const SHORTHAND = 'application/shorthand-patch+json';

/** One of the URLs of a kind under test, and the version that it speaks. */
export class Place {
  private static names = 0;
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

  get bodies(): FreshBodies {
    return this.sample.bodies;
  }

  /** Creates a resource that nobody else uses, with a full status: in the storage version, shown at this place. */
  async fresh(metadata: TestMetadata = {}): Promise<Found> {
    const { status } = this.sample;
    const collection = `/${this.kind.plural}`;
    const body = await this.bodies.next(metadata);
    const created = await this.service.resource(201, 'POST', collection, { body });
    const { uid } = created.metadata;
    await this.service.resource(200, 'PUT', `${collection}/${uid}/status`, { body: { status } });
    return this.find(uid);
  }

  /** Returns the present state of a resource. */
  async find(uid: string): Promise<Found> {
    const url = `${this.url}/${uid}`;
    const { status, text, headers } = await this.send('GET', url);
    expect([status, text]).toEqual([200, text]);
    const shown = JSON.parse(text) as Resource;
    return { url, text, etag: headers['etag'], modified: headers['last-modified'], shown };
  }

  /** Returns a name for a resource: where names are unique, one that no other call returns. */
  name(base: string): string {
    return this.kind.data?.uniqueNames ? `${base}-${Place.names++}` : base;
  }

  /** Returns the status that a client may write back: without the version, where that is the server's. */
  statusOf({ shown }: Found): JsonObject {
    const { version, ...status } = shown.status ?? {};
    return this.kind.history === undefined && version !== undefined ? { version, ...status } : status;
  }

  send(method: string, url: string, sent?: Sent): Promise<Answer> {
    return this.service.send(method, url, sent);
  }

  /** Sends a patch of one of the three types. */
  patch(url: string, type: string, body: unknown): Promise<Answer> {
    return this.send('PATCH', url, { headers: { 'Content-Type': type }, body });
  }

  /** A uid of the kind that no resource has. */
  get missing(): string {
    return `${this.url}/${this.kind.uidPrefix}-0000000000000000`;
  }
}

/** Throws unless a resource is unchanged, byte for byte. */
export async function expectUnchanged(place: Place, found: Found): Promise<void> {
  const { text, etag } = await place.find(found.shown.metadata.uid);
  expect([text, etag]).toEqual([found.text, found.etag]);
}

/** The members of a valid spec that a new resource needs to have of its own. Paths start below the spec. */
export interface Needs {
  /** Fields whose values must differ from those of all other resources. */
  unique: string[][];
  references: NeededReference[];
}

/** A required reference. */
export interface NeededReference {
  path: string[];
  kind: string;
  isList?: true;
  /** The name that the field has as its default. */
  name?: string;
}

/** A kind that others refer to: a valid spec, and its needs. */
export interface Target {
  mounted: MountedKind;
  spec: object;
  needs: Needs;
}

/** Metadata that a test may give a resource. */
export type TestMetadata = { name?: string; labels?: { [key: string]: string } };

const NONE: Needs = { unique: [], references: [] };

/** Makes the bodies of new resources: unique values differ, and references point to resources that exist. */
export class FreshBodies {
  private count = 0;
  private readonly made = new Map<string, Promise<string>>();
  private readonly others = new Map<string, FreshBodies>();

  constructor(
    private readonly service: TestedService,
    private readonly subject: Omit<Target, 'needs'> & { needs?: Needs },
    private readonly targets: { [kind: string]: Target } = {},
  ) {}

  /** Returns the body of a request that creates a resource of the kind. */
  async next(metadata: TestMetadata = {}): Promise<{ metadata: TestMetadata; spec: JsonObject }> {
    const { mounted, needs = NONE } = this.subject;
    const n = this.count++;
    let spec = structuredClone(this.subject.spec) as JsonObject;
    const named = { ...metadata };
    for (const path of needs.unique) spec = withMember(spec, path, (value) => variant(value, n));
    for (const reference of needs.references) {
      const { path, kind, isList } = reference;
      const isSelf = kind === mounted.kind.kind;
      if (isSelf) named.name ??= `self-${n}`;
      const target = isSelf ? named.name! : await this.target(reference);
      spec = withMember(spec, path, () => (isList ? [target] : target));
    }
    return { metadata: named, spec };
  }

  /** Returns the uid of a resource to refer to, or the name that a default wants it to have. It is made once. */
  private target({ kind, name }: NeededReference): Promise<string> {
    const key = `${kind} ${name ?? ''}`;
    const made = this.made.get(key) ?? this.create(kind, name);
    this.made.set(key, made);
    return made;
  }

  private async create(kind: string, name: string | undefined): Promise<string> {
    const target = this.targets[kind];
    const bodies = this.others.get(kind) ?? new FreshBodies(this.service, target, this.targets);
    this.others.set(kind, bodies);
    const body = await bodies.next(name === undefined ? {} : { name });
    const created: Resource = await this.service.resource(201, 'POST', `/${target.mounted.kind.plural}`, {
      body,
    });
    return name ?? created.metadata.uid;
  }
}

function withMember(
  object: JsonObject,
  [name, ...rest]: string[],
  change: (value: Json) => Json,
): JsonObject {
  const value =
    rest.length === 0 ? change(object[name]) : withMember(object[name] as JsonObject, rest, change);
  return { ...object, [name]: value };
}
