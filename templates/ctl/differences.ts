import { own } from '../runtime/model/fields/values';
import { isObject } from '../runtime/model/schema';
import { printable } from './output';

/** Returns a line for each field that differs: `- <path>: <before>`, `+ <path>: <after>`. Lists are compared as a whole. */
export function differences(before: unknown, after: unknown, path = ''): string[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => differences(own(before, name), own(after, name), below(path, name)));
  }
  const [old, now] = [JSON.stringify(before), JSON.stringify(after)];
  if (old === now) return [];
  const line = (sign: string, text: string | undefined): string[] =>
    text === undefined ? [] : [printable(`${sign} ${path}: ${text}`)];
  return [...line('-', old), ...line('+', now)];
}

function below(path: string, name: string): string {
  if (!/^[\w-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}
