import { parse } from 'yaml';
import { HttpProblem } from '../../model/problem';

/** Maximum length of a body in YAML: a parser of YAML takes far more time and memory than one of JSON. */
const LONGEST = 256 * 1024;

/** Returns a body in YAML or JSON as JSON text. Throws HttpProblem 400 and 413. */
export function jsonOf(text: string): string {
  if (text.trimStart().startsWith('{')) return text;
  if (text.length > LONGEST)
    throw new HttpProblem(413, `A body in YAML may have ${LONGEST} characters. Send a longer one as JSON.`);
  try {
    // Without aliases, a value is no larger than its text.
    return JSON.stringify(parse(text, { maxAliasCount: 0, strict: true, uniqueKeys: true }) ?? null);
  } catch (error) {
    const [reason] = (error as Error).message.split('\n', 1);
    throw new HttpProblem(400, `error decoding YAML: ${reason}`);
  }
}
