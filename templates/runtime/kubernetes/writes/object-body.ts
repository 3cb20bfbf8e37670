import { type BodyTypes, JSON_BODY, mediaType } from '../../api/request/body';
import type { KubernetesContext } from '../face/face';
import { jsonOf } from './yaml';

/** The media type of objects in YAML. */
export const YAML_TYPE = 'application/yaml';

const YAML_BODY: BodyTypes = { allowed: [YAML_TYPE], typeRequired: true, jsonOf };

/** Returns the types of the body of a request that sends an object or options: JSON or YAML. */
export function objectBody({ req }: KubernetesContext): BodyTypes {
  return mediaType(req) === YAML_TYPE ? YAML_BODY : JSON_BODY;
}
