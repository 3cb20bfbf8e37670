import { applyOperation } from 'fast-json-patch';
import { HttpProblem } from '../problem';
import { isObject, type Json } from '../schema';
import { child, copyJson, equalJson, excerpt, isIndex, ownKey, type CopyBudget } from './json-value';
import { checkPatched, type PatchLimits } from './limits';

/**
 * How many list elements one patch may shift by inserting and removing before them. It is what 1,000
 * operations at the head of a list of 150,000 elements need; beyond it a few bytes would block the service.
 */
const SHIFTED_ELEMENTS = 150_000_000;

/** A JSON Pointer (RFC 6901), as text and in its decoded parts. */
interface Pointer {
  text: string;
  parts: string[];
}

type Operation =
  | { op: 'add' | 'replace' | 'test'; path: Pointer; value: Json }
  | { op: 'move' | 'copy'; path: Pointer; from: Pointer }
  | { op: 'remove'; path: Pointer };

/**
 * Reads a JSON Patch (RFC 6902). The function it returns applies the patch to a copy of a document: it
 * throws HttpProblem 422 for an operation that cannot be applied, 413 and 400 for an outcome beyond the limits.
 * Throws HttpProblem 413 for too many operations and 400 for malformed ones.
 */
export function parseJsonPatch(body: Json, limits: PatchLimits): (document: Json) => Json {
  if (!Array.isArray(body)) throw new HttpProblem(400, 'A JSON Patch must be an array of operations.');
  if (body.length > limits.operations) {
    throw new HttpProblem(413, `A JSON Patch may have ${limits.operations} operations, not ${body.length}.`);
  }
  const operations = body.map(parseOperation);
  return (document) => {
    const patched = new PatchedDocument(copyJson(document), limits);
    operations.forEach((operation, index) => patched.apply(operation, index));
    checkPatched(patched.document, limits);
    return patched.document;
  };
}

/** A document under patching. fast-json-patch makes the changes, each checked here first: it accepts too much. */
class PatchedDocument {
  private readonly copies: CopyBudget;
  private shifted = 0;

  constructor(
    public document: Json,
    private readonly limits: PatchLimits,
  ) {
    this.copies = { bytes: limits.bytes, limits };
  }

  apply(operation: Operation, index: number): void {
    const problem = this.change(operation);
    if (problem === undefined) return;
    throw new HttpProblem(
      422,
      `Operation ${index} (${operation.op} ${excerpt(operation.path.text)}): ${problem}.`,
    );
  }

  /** Applies one operation, or says why that cannot be. */
  private change(operation: Operation): string | undefined {
    const { path } = operation;
    switch (operation.op) {
      case 'add':
        // Copied, for a later operation may write into it, and a patch can be applied again.
        return this.add(path, copyJson(operation.value));
      case 'remove':
        return this.remove(path);
      case 'replace':
        if (this.find(path) === undefined) return nothingAt(path);
        this.write({ op: 'replace', path: path.text, value: copyJson(operation.value) });
        return undefined;
      case 'test': {
        const value = this.find(path);
        if (value === undefined) return nothingAt(path);
        return equalJson(operation.value, value) ? undefined : 'the value is another';
      }
      case 'copy': {
        const value = this.find(operation.from);
        if (value === undefined) return nothingAt(operation.from);
        return this.add(path, copyJson(value, this.copies, this.limits.depth - path.parts.length));
      }
      case 'move': {
        const { from } = operation;
        const value = this.find(from);
        if (value === undefined) return nothingAt(from);
        if (from.text === path.text) return undefined;
        if (path.text.startsWith(`${from.text}/`)) return 'a value cannot be moved into itself';
        return this.remove(from) ?? this.add(path, value);
      }
    }
  }

  private add(path: Pointer, value: Json): string | undefined {
    if (path.parts.length > 0) {
      const parent = this.parent(path);
      if (typeof parent !== 'object' || parent === null) return 'its parent is no object or list';
      if (Array.isArray(parent)) {
        const part = path.parts[path.parts.length - 1];
        const fits = part === '-' || (isIndex(part) && Number(part) <= parent.length);
        if (!fits) return `${excerpt(part)} is no index of a list of ${parent.length}`;
        this.shift(part === '-' ? 0 : parent.length - Number(part));
      }
    }
    this.write({ op: 'add', path: path.text, value });
    return undefined;
  }

  private remove(path: Pointer): string | undefined {
    if (this.find(path) === undefined) return nothingAt(path);
    const parent = this.parent(path);
    if (Array.isArray(parent)) this.shift(parent.length - Number(path.parts[path.parts.length - 1]));
    this.write({ op: 'remove', path: path.text });
    return undefined;
  }

  private write(
    change: { op: 'add' | 'replace'; path: string; value: Json } | { op: 'remove'; path: string },
  ): void {
    // Without its validation, which prints the whole document into the message of an error, and without its ban
    // on `constructor/prototype`, which is data here. `__proto__` was refused while reading.
    this.document = applyOperation<Json>(this.document, change, false, true, false).newDocument;
  }

  private find(pointer: Pointer): Json | undefined {
    return descend(this.document, pointer.parts, pointer.parts.length);
  }

  private parent(pointer: Pointer): Json | undefined {
    return descend(this.document, pointer.parts, pointer.parts.length - 1);
  }

  private shift(elements: number): void {
    this.shifted += elements;
    if (this.shifted > SHIFTED_ELEMENTS) {
      throw new HttpProblem(413, 'The patch inserts and removes too often near the head of long lists.');
    }
  }
}

/** What the first `count` parts of a path lead to. */
function descend(document: Json, parts: string[], count: number): Json | undefined {
  let value: Json | undefined = document;
  for (let index = 0; index < count && value !== undefined; index++) value = child(value, parts[index]);
  return value;
}

function nothingAt({ text }: Pointer): string {
  return `there is nothing at ${excerpt(text)}`;
}

function parseOperation(operation: Json, index: number): Operation {
  const malformed = (what: string) => new HttpProblem(400, `Operation ${index} of the JSON Patch ${what}.`);
  const member = (name: string): Json | undefined =>
    isObject(operation) && Object.hasOwn(operation, name) ? operation[name] : undefined;
  const pointer = (name: 'path' | 'from'): Pointer => {
    const text = member(name);
    if (typeof text !== 'string') throw malformed(`needs "${name}", a JSON Pointer`);
    if ((text !== '' && !text.startsWith('/')) || /~(?![01])/.test(text)) {
      throw malformed(`has a "${name}" that is no JSON Pointer: ${excerpt(text)}`);
    }
    const parts = text.split('/').slice(1);
    return { text, parts: parts.map((part) => ownKey(part.replaceAll('~1', '/').replaceAll('~0', '~'))) };
  };

  if (!isObject(operation)) throw malformed('is no object');
  const op = member('op');
  switch (op) {
    case 'add':
    case 'replace':
    case 'test': {
      const value = member('value');
      if (value === undefined) throw malformed('needs "value"');
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
