import { below } from '../../model/fragment';
import type { KindDefinition } from '../../model/kinds/kind';
import { type Failure, HttpProblem, MAX_FAILURES, wrongType } from '../../model/problem';
import type { Metadata, OwnerReference, Resource } from '../../model/resource';
import { isObject, type Json, type JsonObject } from '../../model/schema';
import { addUnknownMembers } from '../../model/unknown-member';

/** The members of metadata that a client may set. */
export interface ClientMetadata {
  name?: string;
  /** Read from requests to kinds with unique names. */
  generateName?: string;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
  /** Read by the part of the service that has them, as owner references. */
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
}

/** Members of metadata that a part of the service adds. */
export interface MoreMembers {
  /** Their names, those of the server's own included. */
  readonly members: readonly string[];
  /** Reads what a client sent of them: a member of a wrong type is a failure and left out. */
  read(metadata: JsonObject, failures: Failure[]): ClientMetadata;
}

const SERVER_OWNED = ['uid', 'createdAt', 'updatedAt', 'generation'];
const MAPS = ['labels', 'annotations'] as const;

/** The members of metadata with names. */
type NameMember = 'name' | 'generateName';

/** Each label is a row of the store's index. */
const MAX_LABELS = 1_000;

/**
 * Reads what a client sent as metadata: members of a wrong type and unknown ones are failures and left out,
 * the server's own are ignored, null counts as absent. `names` has the members with names that the kind has. Throws
 * HttpProblem 400 for more than 1,000 labels.
 */
export function readMetadata(
  value: Json | undefined,
  failures: Failure[],
  names: readonly NameMember[],
  more?: MoreMembers,
): ClientMetadata {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) {
    failures.push(wrongType('/metadata', 'an object'));
    return {};
  }
  const known = [...names, ...MAPS, ...SERVER_OWNED, ...(more?.members ?? [])];
  addUnknownMembers(failures, '/metadata', Object.keys(value), known);
  const metadata = more?.read(value, failures) ?? {};
  for (const member of names) {
    const name = value[member] ?? undefined;
    if (typeof name === 'string') metadata[member] = name;
    else if (name !== undefined) failures.push(wrongType(`/metadata/${member}`, 'a string'));
  }
  for (const member of MAPS) {
    const texts = readTexts(value[member] ?? undefined, member, failures);
    if (texts !== undefined) metadata[member] = texts;
  }
  return metadata;
}

/** Returns the members that a stored resource has of a part that the service no longer has: they stay as they are. */
export function formerMembers(stored: Partial<Metadata> = {}): MoreMembers {
  const { finalizers, ownerReferences } = stored;
  return { members: Object.keys(stored), read: () => ({ finalizers, ownerReferences }) };
}

/** Throws HttpProblem 400 for more labels than a resource may have. */
export function refuseManyLabels(labels: number): void {
  if (labels > MAX_LABELS)
    throw new HttpProblem(400, `A resource may have ${MAX_LABELS} labels, not ${labels}.`);
}

function readTexts(
  value: Json | undefined,
  member: string,
  failures: Failure[],
): { [key: string]: string } | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) {
    failures.push(wrongType(`/metadata/${member}`, 'an object'));
    return undefined;
  }
  const entries = Object.entries(value);
  if (member === 'labels') refuseManyLabels(entries.length);
  const texts: { [key: string]: string } = {};
  for (const [key, text] of entries) {
    if (typeof text === 'string') texts[key] = text;
    else if (failures.length < MAX_FAILURES) {
      const pointer = below(`/metadata/${member}`, key);
      failures.push({ pointer, rule: 'type', detail: `metadata.${member} must hold strings` });
    }
  }
  return texts;
}

const ENVELOPE = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];

/**
 * Adds a failure for each member of a body that an envelope does not have. A kind with references is read with `expanded`, which
 * is ignored when it is sent back.
 */
export function checkEnvelope({ data }: KindDefinition, body: JsonObject, failures: Failure[]): void {
  const isExpandable = data?.references !== undefined;
  const members = Object.keys(body).filter((member) => !(isExpandable && member === 'expanded'));
  addUnknownMembers(failures, '', members, ENVELOPE);
}

/** Throws HttpProblem 400 for a body whose `kind` is not the collection's. */
export function checkKind({ kind }: KindDefinition, body: JsonObject): void {
  if (body['kind'] === undefined || body['kind'] === kind) return;
  throw new HttpProblem(400, `The kind must be ${kind}, as the collection's.`);
}

/** Returns the metadata of a new resource. */
export function newMetadata(client: ClientMetadata, uid: string, now: number): Metadata {
  const time = new Date(now).toISOString();
  const { name = uid, generateName } = client;
  const own = { name, generateName, uid, createdAt: time, updatedAt: time, generation: 1 };
  return withClientMembers(ownMembers(own), client);
}

/** Returns the metadata after a write: server-owned members are carried over, and time never goes backwards. */
export function nextMetadata(
  current: Resource,
  client: ClientMetadata,
  specChanged: boolean,
  now: number,
): Metadata {
  const { uid, generateName, createdAt, updatedAt, deletionTimestamp, generation } = current.metadata;
  const time = new Date(now).toISOString();
  const own = ownMembers({
    name: client.name ?? current.metadata.name,
    generateName,
    uid,
    createdAt,
    // Times in this format sort as strings.
    updatedAt: time > updatedAt ? time : updatedAt,
    deletionTimestamp,
    generation: generation + (specChanged ? 1 : 0),
  });
  return withClientMembers(own, client);
}

/** Returns the members that the server owns, in their order. */
function ownMembers(members: Metadata): Metadata {
  const { name, generateName, uid, createdAt, updatedAt, deletionTimestamp, generation } = members;
  // The usual case without a spread: members after one take more time than the rest of a create.
  if (generateName === undefined && deletionTimestamp === undefined)
    return { name, uid, createdAt, updatedAt, generation };
  return {
    name,
    ...(generateName !== undefined && { generateName }),
    uid,
    createdAt,
    updatedAt,
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    generation,
  };
}

/** Adds the members that clients set, where they are not empty. */
function withClientMembers(
  metadata: Metadata,
  { labels, annotations, finalizers = [], ownerReferences = [] }: ClientMetadata,
): Metadata {
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  if (ownerReferences.length > 0) metadata.ownerReferences = ownerReferences;
  if (labels !== undefined && Object.keys(labels).length > 0) metadata.labels = labels;
  if (annotations !== undefined && Object.keys(annotations).length > 0) metadata.annotations = annotations;
  return metadata;
}
