import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { decodeText } from '../runtime/files/regular-file';
import { yamlDocuments } from '../runtime/files/yaml-documents';
import type { JsonObject } from '../runtime/model/schema';
import { type Io, UsageError } from './definition';

/** A document that names its resource. */
export interface ResourceDocument {
  apiVersion?: string;
  kind: string;
  metadata?: DocumentMetadata;
  spec: JsonObject;
}

/** Other members are for the service to read, or to refuse. */
interface DocumentMetadata {
  uid?: string;
  name?: string;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
}

/**
 * Reads the resources in a file: YAML documents or JSON, each a resource or a list of them; `-` is the standard input.
 * Fields are not checked here, but by the service. Throws UsageError.
 */
export async function readResources(file: string, { stdin }: Pick<Io, 'stdin'>): Promise<ResourceDocument[]> {
  const bytes = await (file === '-' ? buffer(stdin) : readFile(file)).catch((error: Error) => {
    throw new UsageError(error.message);
  });
  const documents = parseTexts(textOf(bytes, file), file).flatMap((document) =>
    Array.isArray(document) ? (document as unknown[]) : document === null ? [] : [document],
  );
  if (documents.length === 0) throw new UsageError(`${file}: it contains no resource`);
  return documents.map((document, index) => resourceOf(document, `${file}, resource ${index + 1}`));
}

/** Bytes that are no text would be sent as other characters. */
function textOf(bytes: Buffer, file: string): string {
  try {
    return decodeText(bytes);
  } catch (error) {
    throw new UsageError(`${file} ${(error as Error).message}`);
  }
}

/** Parses a single value in YAML or JSON. Throws UsageError. */
export function parseValue(content: string, origin: string): unknown {
  const values = parseTexts(content, origin);
  if (values.length !== 1) throw new UsageError(`${origin}: one document is expected`);
  return values[0];
}

/** Parses JSON first: it is YAML, but for rare cases. */
function parseTexts(content: string, origin: string): unknown[] {
  try {
    return [JSON.parse(content, exactNumber)];
  } catch {
    // It is YAML, or the number is looked at below.
  }
  return yamlDocuments(content).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new UsageError(`${origin}: ${error.message.trim()}`);
    try {
      return JSON.parse(JSON.stringify(document.toJS())) as unknown;
    } catch (error) {
      // An alias of nothing, too many, or one that contains itself.
      throw new UsageError(`${origin}: ${(error as Error).message.split('\n', 1)[0]}`);
    }
  });
}

/** Throws an Error for a number that may have been rounded, or is out of range. */
function exactNumber(_name: string, value: unknown): unknown {
  if (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) throw new Error();
  return value;
}

/** Returns a value as a document. Throws UsageError where it has no kind or no spec, or a uid that no path can have. */
export function resourceOf(value: unknown, origin: string): ResourceDocument {
  const { apiVersion, kind, metadata, spec } = Object(value) as { [name: string]: unknown };
  if (typeof kind !== 'string') throw new UsageError(`${origin}: kind is missing`);
  if (apiVersion !== undefined && typeof apiVersion !== 'string')
    throw new UsageError(`${origin}: apiVersion is not a string`);
  for (const [name, member] of Object.entries({ spec, metadata: metadata ?? {} }))
    if (typeof member !== 'object' || member === null || Array.isArray(member))
      throw new UsageError(`${origin}: ${name} is not an object`);
  const { uid } = Object(metadata) as { uid?: unknown };
  if (/^\.{0,2}$/.test(String(uid)))
    throw new UsageError(`${origin}: metadata.uid ${JSON.stringify(uid)} names no resource`);
  return {
    ...(value as ResourceDocument),
    metadata: metadata ?? undefined,
  };
}
