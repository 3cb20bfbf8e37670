import { isOpenPage as isOwnPage } from '../http/security/guard';

/** Discovery, the OpenAPI documents and the probes of the API for Kubernetes clients, with or without a slash at the end. */
const OPEN =
  /^\/k8s\/(?:livez|readyz|healthz|version|api(?:\/v1)?|apis(?:\/[^/]+){0,2}|openapi\/v[23](?:\/.*)?)\/?$/;

/** Returns whether a path belongs to a page that shows no data, as the function that it replaces, or to one for Kubernetes clients. */
export function isOpenPage(path: string): boolean {
  return isOwnPage(path) || OPEN.test(path);
}
