import { represent } from '../../api/reads/representation';
import type { KindDefinition } from '../../model/kinds/kind';
import type { StoredText } from '../../model/kinds/versioning';
import type { Resource } from '../../model/resource';
import type { JsonObject } from '../../model/schema';
import type { StoredResource } from '../../store/store';
import { managedFieldsText } from '../ownership/managed-fields';
import { revisionOf } from './revision';

/** The times in the metadata of a stored resource, next to each other. Within a string every quote is escaped. */
const TIMES = /"createdAt":"([^"]{19})\.\d+Z","updatedAt":"[^"]*"(,"deletionTimestamp":"[^"]*")?/;

/** Returns a stored resource as the JSON text of a Kubernetes object in one version. */
export function objectText(kind: KindDefinition, stored: StoredResource, version: string): string {
  const { text } = represent(kind, stored, version);
  return objectTextFrom(kind, stored, version, { text, revision: revisionOf(stored) });
}

/** Returns the same, made of the JSON text of the resource in this version and its revision, which may be unknown. */
export function objectTextFrom(
  kind: KindDefinition,
  stored: StoredText,
  version: string,
  { text, revision }: { text: string; revision: string | undefined },
): string {
  const managed = managedFieldsText(kind, stored, version);
  const resourceVersion = revision === undefined ? '' : `,"resourceVersion":"${revision}"`;
  const managedFields = managed === undefined ? '' : `,"managedFields":${managed}`;
  return text.replace(TIMES, (_times, seconds: string, deletion?: string) => {
    // Nothing but finalizers delays a deletion.
    const waiting = deletion === undefined ? '' : `${deletion},"deletionGracePeriodSeconds":0`;
    return `"creationTimestamp":"${seconds}Z"${resourceVersion}${waiting}${managedFields}`;
  });
}

/** Returns the name of a resource in its JSON text. */
export function nameIn(text: string): string {
  return (JSON.parse(text) as Resource).metadata.name;
}

/** A Kubernetes object. */
export interface KubernetesObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: JsonObject & { name: string; uid: string; creationTimestamp: string; resourceVersion: string };
}

/** Returns a stored resource as a Kubernetes object in one version. */
export function objectOf(kind: KindDefinition, stored: StoredResource, version: string): KubernetesObject {
  return JSON.parse(objectText(kind, stored, version)) as KubernetesObject;
}
