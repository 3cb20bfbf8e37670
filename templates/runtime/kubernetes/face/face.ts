import type { RequestContext } from '../../api/request/request-context';
import { collectionOf, type KindDefinition } from '../../model/kinds/kind';
import type { JsonObject } from '../../model/schema';
import type { Service } from '../../service/service';
import type { KindContent, KubernetesContent } from './content';
import type { RowForms } from './row-forms';

/** The first segment of every path of the API for Kubernetes clients. */
export const ROOT = 'k8s';

/** A running service, as the handlers for Kubernetes clients need to know it. */
export interface Face {
  service: Service;
  kinds: readonly KindDefinition[];
  content: KubernetesContent;
  forms: RowForms;
}

/** One request of a Kubernetes client about a kind: `uidOrName` is the name in the path. */
export interface KubernetesContext extends RequestContext, Face {
  /** The version of the URL. */
  urlVersion: string;
  parameters: ReadonlyMap<string, readonly string[]>;
  /** The resource that errors are about. */
  subject: Subject;
}

/** The resource that an error is about, as far as it is known. */
export interface Subject {
  kind?: KindDefinition;
  /** Empty for the collection. */
  name?: string;
  /** The object that the client wants to have. */
  sent?: JsonObject;
  /** Texts of `Warning` headers: an unknown field is often the reason of a failure. */
  warnings?: string[];
}

/** Responds to one request; an error that it throws becomes a Status. */
export type KubernetesHandler = (context: KubernetesContext) => void | Promise<void>;

/** Returns the last value of a query parameter; undefined where it is absent. */
export function parameter({ parameters }: KubernetesContext, name: string): string | undefined {
  return parameters.get(name)?.at(-1);
}

/** Returns the `<group>/<version>` of a request. */
export function apiVersionOf({ kind, urlVersion }: KubernetesContext): string {
  return `${kind.group}/${urlVersion}`;
}

/** Returns the parts of a kind that only Kubernetes clients see. */
export function contentOf({ content }: Face, kind: KindDefinition): KindContent {
  return content.kinds[collectionOf(kind)] ?? { description: '', columns: {} };
}
