import { type BodyTypes, JSON_BODY, mediaType } from '../../api/request/body';
import { yamlDocuments } from '../../files/yaml-documents';
import { HttpProblem } from '../../model/problem';
import type { KubernetesContext } from '../face/face';

/** The media type of objects in YAML. */
export const YAML_TYPE = 'application/yaml';

/** The media type of a server-side apply, and those of other patches. */
export const APPLY_TYPE = 'application/apply-patch+yaml';
export const PATCH_TYPES = ['application/json-patch+json', 'application/merge-patch+json'];

const YAML_BODY: BodyTypes = { allowed: [YAML_TYPE], typeRequired: true, jsonOf };

/** Returns the types of the body of a request that sends an object or options: JSON or YAML. */
export function objectBody({ req }: KubernetesContext): BodyTypes {
  return mediaType(req) === YAML_TYPE ? YAML_BODY : JSON_BODY;
}

/** Maximum length of a body in YAML: a parser of YAML takes far more time and memory than one of JSON. */
const LONGEST = 256 * 1024;

/** Returns a body in YAML or JSON as JSON text. Throws HttpProblem 400 and 413. */
export function jsonOf(text: string): string {
  const isJson = text.trimStart().startsWith('{');
  if (isJson && (text.length > LONGEST || isReadable(text))) return text;
  if (text.length > LONGEST)
    throw new HttpProblem(413, `A body in YAML may have ${LONGEST} characters. Send a longer one as JSON.`);
  try {
    // Without aliases, a value is no larger than its text.
    return JSON.stringify(valueOf(text) ?? null);
  } catch (error) {
    // The parser of JSON explains a body that begins like JSON.
    if (isJson) return text;
    const [reason] = (error as Error).message.split('\n', 1);
    throw new HttpProblem(400, `error decoding YAML: ${reason}`);
  }
}

/** Returns the value of the only document; undefined without one. Throws an Error that names the mistake. */
function valueOf(text: string): unknown {
  const [document, ...others] = yamlDocuments(text);
  if (document === undefined) return undefined;
  if (document.errors.length > 0) throw document.errors[0];
  if (others.length > 0) throw new Error('there are several documents');
  return document.toJS({ maxAliasCount: 0 });
}

function isReadable(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
