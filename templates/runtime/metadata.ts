import type { KindDefinition } from './kind';
import { HttpProblem, type Failure } from './problem';
import type { Metadata, Resource } from './resource';
import { isObject, type Json, type JsonObject } from './schema';
import { closest } from './suggest';

/** The members of metadata that a client may set. */
export interface ClientMetadata {
  name?: string;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
}

const SERVER_OWNED = ['uid', 'createdAt', 'updatedAt', 'generation'];
const CLIENT_OWNED = ['name', 'labels', 'annotations'];

/** Each label is a row of the store's index. */
const MAX_LABELS = 1_000;

/**
 * Reads what a client sent as metadata: members of a wrong type and unknown ones are failures and left out,
 * the server's own are ignored, null counts as absent. Throws HttpProblem 400 for more than 1,000 labels.
 */
export function readMetadata(value: Json | undefined, failures: Failure[]): ClientMetadata {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) {
    failures.push({ pointer: '/metadata', rule: 'type', detail: 'metadata must be an object' });
    return {};
  }
  for (const member of Object.keys(value)) {
    if (SERVER_OWNED.includes(member) || CLIENT_OWNED.includes(member)) continue;
    failures.push(unknownMember('/metadata', member, [...CLIENT_OWNED, ...SERVER_OWNED]));
  }
  const metadata: ClientMetadata = {};
  const name = value['name'] ?? undefined;
  if (typeof name === 'string') metadata.name = name;
  else if (name !== undefined) {
    failures.push({ pointer: '/metadata/name', rule: 'type', detail: 'metadata.name must be a string' });
  }
  for (const member of ['labels', 'annotations'] as const) {
    const texts = readTexts(value[member] ?? undefined, member, failures);
    if (texts !== undefined) metadata[member] = texts;
  }
  return metadata;
}

function readTexts(
  value: Json | undefined,
  member: string,
  failures: Failure[],
): { [key: string]: string } | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) {
    failures.push({
      pointer: `/metadata/${member}`,
      rule: 'type',
      detail: `metadata.${member} must be an object`,
    });
    return undefined;
  }
  const entries = Object.entries(value);
  if (member === 'labels' && entries.length > MAX_LABELS)
    throw new HttpProblem(400, `A resource may have ${MAX_LABELS} labels, not ${entries.length}.`);
  const texts: { [key: string]: string } = {};
  for (const [key, text] of entries) {
    if (typeof text === 'string') texts[key] = text;
    else {
      const pointer = `/metadata/${member}/${escapePointer(key)}`;
      failures.push({ pointer, rule: 'type', detail: `metadata.${member} must hold strings` });
    }
  }
  return texts;
}

const ENVELOPE = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];

/** A failure for each member of a body that an envelope does not have. */
export function checkEnvelope(body: JsonObject, failures: Failure[]): void {
  for (const member of Object.keys(body)) {
    if (!ENVELOPE.includes(member)) failures.push(unknownMember('', member, ENVELOPE));
  }
}

/** Throws HttpProblem 400 for a body that says to be of another kind than the collection's. */
export function checkKind({ kind }: KindDefinition, body: JsonObject): void {
  if (body['kind'] === undefined || body['kind'] === kind) return;
  throw new HttpProblem(400, `The kind must be ${kind}, as the collection's.`);
}

/** The failure of a member that is not declared, with the likeliest of those that are. */
export function unknownMember(parent: string, member: string, known: string[]): Failure {
  const meant = closest(member, known);
  const detail = `unknown field ${JSON.stringify(member)}${meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`}`;
  return { pointer: `${parent}/${escapePointer(member)}`, rule: 'unknown', detail };
}

/** A member's name as a part of a JSON Pointer (RFC 6901, section 3). */
export function escapePointer(name: string): string {
  return name.replace(/~/g, '~0').replace(/\//g, '~1');
}

/** The metadata of a new resource. */
export function newMetadata(client: ClientMetadata, uid: string, now: number): Metadata {
  const time = new Date(now).toISOString();
  return withTexts(
    { name: client.name ?? uid, uid, createdAt: time, updatedAt: time, generation: 1 },
    client,
  );
}

/** The metadata after a write: the server's members carried on, the time never going backwards. */
export function nextMetadata(
  current: Resource,
  client: ClientMetadata,
  specChanged: boolean,
  now: number,
): Metadata {
  const { uid, createdAt, updatedAt, generation } = current.metadata;
  const time = new Date(now).toISOString();
  return withTexts(
    {
      name: client.name ?? current.metadata.name,
      uid,
      createdAt,
      // Times of this form are in order as texts.
      updatedAt: time > updatedAt ? time : updatedAt,
      generation: generation + (specChanged ? 1 : 0),
    },
    client,
  );
}

function withTexts(metadata: Metadata, { labels, annotations }: ClientMetadata): Metadata {
  if (labels !== undefined && Object.keys(labels).length > 0) metadata.labels = labels;
  if (annotations !== undefined && Object.keys(annotations).length > 0) metadata.annotations = annotations;
  return metadata;
}
