import { Connection } from '../../../templates/client/connection';
import type { ConsoleKindDetails, ConsoleService } from '../../../templates/runtime/console/content';
import { same } from '../../../templates/runtime/model/fields/values';
import type { Json, JsonObject } from '../../../templates/runtime/model/schema';
import { readCredentials } from './credentials';

/** A resource as the service returns it. */
export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    uid: string;
    createdAt: string;
    updatedAt: string;
    generation: number;
    /** Set while a deletion waits for finalizers. */
    deletionTimestamp?: string;
    finalizers?: string[];
    ownerReferences?: { kind: string; name: string; uid: string }[];
    labels?: { [key: string]: string };
    annotations?: { [key: string]: string };
  };
  spec: JsonObject;
  status?: JsonObject;
}

/** Returns whether two resources say the same. */
export function isSame(one: Resource, other: Resource): boolean {
  return same(one as unknown as Json, other as unknown as Json);
}

/** A resource in one version, with the tag of its state. */
export interface Tagged {
  resource: Resource;
  etag: string;
  /** Failures that the service stored all the same, and other notes. */
  warnings: string[];
}

/** The service may be mounted below a path; the page is at `console` in it. */
const baseUrl = new URL('.', window.location.href).href;

/** Sends requests to the service of the page, with the credentials of this tab. */
export const connection = new Connection({ baseUrl, headers: () => readCredentials() });

/** The descriptions are open to everybody. Credentials that are refused must not hide the page that replaces them. */
const anonymous = new Connection({ baseUrl });

/** Reads a description of the service or of a kind. */
export async function describe(): Promise<ConsoleService> {
  return (await anonymous.send<ConsoleService>({ method: 'GET', path: '/console/service.json' })).value;
}

/** Reads the fields of a kind in each of its versions. */
export async function describeKind(plural: string): Promise<ConsoleKindDetails> {
  const path = `/console/kinds/${plural}.json`;
  return (await anonymous.send<ConsoleKindDetails>({ method: 'GET', path })).value;
}

/** The collection of a kind in one version. */
export interface Collection {
  group: string;
  version: string;
  plural: string;
}

/** Returns the path of a collection, or of one of its resources. */
export function pathOf({ group, version, plural }: Collection, uid?: string): string {
  const path = `/apis/${group}/${version}/${plural}`;
  return uid === undefined ? path : `${path}/${encodeURIComponent(uid)}`;
}
