import { own, same, set } from '../model/fields/values';
import { HttpProblem } from '../model/problem';
import { isObject, type Json, type JsonObject } from '../model/schema';
import { type CopyBudget, copyJson, excerpt, isIndex } from './json-value';
import { checkPatched, type PatchLimits } from './limits';
import { LongLists } from './long-lists';
import { type Operation, parseOperation, type Pointer } from './operation';

/**
 * The treatment of members that objects do not have. For Kubernetes clients, as in kube-apiserver, `replace` adds such a member,
 * and a `test` for null holds.
 */
export type PatchDialect = 'rfc' | 'kubernetes';

/**
 * Parses a JSON Patch (RFC 6902). The returned function applies the patch to a copy of a document. It throws
 * HttpProblem 422 for an operation that cannot be applied, 413 and 400 for a result beyond the limits. Throws
 * HttpProblem 413 for too many operations and 400 for malformed ones.
 */
export function parseJsonPatch(
  body: Json,
  limits: PatchLimits,
  dialect: PatchDialect = 'rfc',
): (document: Json) => Json {
  if (!Array.isArray(body)) throw new HttpProblem(400, 'A JSON Patch must be an array of operations.');
  if (body.length > limits.operations) {
    throw new HttpProblem(413, `A JSON Patch may have ${limits.operations} operations, not ${body.length}.`);
  }
  const operations = body.map(parseOperation);
  return (document) => {
    const patched = new PatchedDocument(copyJson(document), limits, dialect);
    operations.forEach((operation, index) => patched.apply(operation, index));
    return patched.finish();
  };
}

/** A document during patching. */
class PatchedDocument {
  private readonly copies: CopyBudget;
  private readonly lists = new LongLists();

  constructor(
    private document: Json,
    private readonly limits: PatchLimits,
    private readonly dialect: PatchDialect,
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

  finish(): Json {
    this.lists.settle(this.document, this.limits.depth);
    checkPatched(this.document, this.limits);
    return this.document;
  }

  /** Applies one operation. Returns the reason where that is impossible. */
  private change(operation: Operation): string | undefined {
    const { path } = operation;
    switch (operation.op) {
      case 'add':
        // A copy, because a later operation may write into it, and a patch can be applied again.
        return this.add(path, copyJson(operation.value));
      case 'remove':
        return this.remove(path);
      case 'replace':
        if (this.find(path) === undefined && !this.toleratesAbsent(path)) return nothingAt(path);
        this.write('replace', path, copyJson(operation.value));
        return undefined;
      case 'test': {
        const value = this.findWhole(path);
        if (value === undefined && !this.toleratesAbsent(path)) return nothingAt(path);
        return same(operation.value, value ?? null) ? undefined : 'the value is another';
      }
      case 'copy': {
        const value = this.findWhole(operation.from);
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
      if (typeof parent !== 'object' || parent === null) return 'its parent is neither an object nor a list';
      if (Array.isArray(parent)) {
        const part = last(path);
        const length = this.lists.length(parent);
        const fits = part === '-' || (isIndex(part) && Number(part) <= length);
        if (!fits) return `${excerpt(part)} is not an index of a list of ${length}`;
      }
    }
    this.write('add', path, value);
    return undefined;
  }

  private remove(path: Pointer): string | undefined {
    if (this.find(path) === undefined) return nothingAt(path);
    this.write('remove', path);
    return undefined;
  }

  /** Makes a change that has been checked. A document that is removed becomes null. */
  private write(op: 'add' | 'replace' | 'remove', path: Pointer, value: Json = null): void {
    const parent = path.parts.length === 0 ? undefined : this.parent(path);
    const part = last(path);
    if (parent === undefined) {
      this.document = value;
    } else if (Array.isArray(parent)) {
      const wanted = part === '-' ? this.lists.length(parent) : Number(part);
      const [array, index] = this.lists.editable(parent, wanted);
      array.splice(index, op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [value]));
    } else {
      set(parent as JsonObject, part, op === 'remove' ? undefined : value);
    }
  }

  /** Returns whether a path may lead to a member that an object does not have. */
  private toleratesAbsent(path: Pointer): boolean {
    return this.dialect === 'kubernetes' && isObject(this.parent(path));
  }

  private find(pointer: Pointer): Json | undefined {
    return this.descend(pointer.parts, pointer.parts.length);
  }

  /** Returns the target of a pointer, to be read as a whole. */
  private findWhole(pointer: Pointer): Json | undefined {
    const value = this.find(pointer);
    if (value !== undefined) this.lists.settle(value, this.limits.depth);
    return value;
  }

  private parent(pointer: Pointer): Json | undefined {
    return this.descend(pointer.parts, pointer.parts.length - 1);
  }

  /** Returns the target of the first `count` parts of a path. */
  private descend(parts: string[], count: number): Json | undefined {
    let value: Json | undefined = this.document;
    for (let level = 0; level < count && value !== undefined; level++) {
      const part = parts[level];
      if (!Array.isArray(value)) value = own(value, part);
      else value = isIndex(part) ? this.lists.at(value, Number(part)) : undefined;
    }
    return value;
  }
}

function last({ parts }: Pointer): string {
  return parts[parts.length - 1];
}

function nothingAt({ text }: Pointer): string {
  return `there is nothing at ${excerpt(text)}`;
}
