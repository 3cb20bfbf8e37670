import { own } from '../model/fields/values';
import { pointerKeys } from '../model/fragment';
import { HttpProblem } from '../model/problem';
import { isObject, type Json } from '../model/schema';
import { checkKeys, excerpt, ownKey } from './json-value';

/** A JSON Pointer (RFC 6901), as text and in its decoded parts. */
export interface Pointer {
  text: string;
  parts: string[];
}

/** One operation of a JSON Patch (RFC 6902 §4). */
export type Operation =
  | { op: 'add' | 'replace' | 'test'; path: Pointer; value: Json }
  | { op: 'move' | 'copy'; path: Pointer; from: Pointer }
  | { op: 'remove'; path: Pointer };

/** Parses the operation at this index of a patch; other members are ignored. Throws HttpProblem 400 when it is malformed. */
export function parseOperation(operation: Json, index: number): Operation {
  const malformed = (what: string) => new HttpProblem(400, `Operation ${index} of the JSON Patch ${what}.`);
  const pointer = (name: 'path' | 'from'): Pointer => {
    const text = own(operation, name);
    if (typeof text !== 'string') throw malformed(`needs "${name}", a JSON Pointer`);
    if ((text !== '' && !text.startsWith('/')) || /~(?![01])/.test(text)) {
      throw malformed(`has a "${name}" that is not a JSON Pointer: ${excerpt(text)}`);
    }
    return { text, parts: pointerKeys(text).map(ownKey) };
  };

  if (!isObject(operation)) throw malformed('is not an object');
  const op = own(operation, 'op');
  switch (op) {
    case 'add':
    case 'replace':
    case 'test': {
      const value = own(operation, 'value');
      if (value === undefined) throw malformed('needs "value"');
      checkKeys(value);
      return { op, path: pointer('path'), value };
    }
    case 'move':
    case 'copy':
      return { op, path: pointer('path'), from: pointer('from') };
    case 'remove':
      return { op, path: pointer('path') };
    default:
      throw malformed('needs "op", one of add, remove, replace, move, copy and test');
  }
}
