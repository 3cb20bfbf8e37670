import { printable } from './output';

/** Returns a line for each field that differs: `- <path>: <before>`, `+ <path>: <after>`. Lists are compared as a whole. */
export function differences(before: unknown, after: unknown, path = ''): string[] {
  if (isMap(before) && isMap(after)) {
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

function own(map: { [name: string]: unknown }, name: string): unknown {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

function isMap(value: unknown): value is { [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
