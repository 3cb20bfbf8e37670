import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseAllDocuments } from 'yaml';
import type { JsonObject } from '../runtime/schema';
import { UsageError, type Io } from './definition';

/** A document that says which resource it is. */
export interface ResourceDocument {
  apiVersion?: string;
  kind: string;
  metadata?: {
    uid?: string;
    name?: string;
    labels?: { [key: string]: string };
    annotations?: { [key: string]: string };
  };
  spec: JsonObject;
}

/**
 * The resources in a file: YAML documents or JSON, each a resource or a list of them; `-` is the standard
 * input. Fields are not checked here: the service does it. Throws UsageError.
 */
export async function readResources(file: string, { stdin }: Pick<Io, 'stdin'>): Promise<ResourceDocument[]> {
  const content = await (file === '-' ? text(stdin) : readFile(file, 'utf8')).catch((error: Error) => {
    throw new UsageError(error.message);
  });
  const documents = parseTexts(content, file).flatMap((document) =>
    Array.isArray(document) ? (document as unknown[]) : document === null ? [] : [document],
  );
  if (documents.length === 0) throw new UsageError(`${file}: there is no resource in it`);
  return documents.map((document, index) => resourceOf(document, `${file}, resource ${index + 1}`));
}

/** A single value in YAML or JSON. Throws UsageError. */
export function parseValue(content: string, origin: string): unknown {
  const values = parseTexts(content, origin);
  if (values.length !== 1) throw new UsageError(`${origin}: one document is expected`);
  return values[0];
}

/** JSON is YAML, but for rare cases; what is JSON is read as JSON. */
function parseTexts(content: string, origin: string): unknown[] {
  try {
    return [JSON.parse(content)];
  } catch {
    // It is YAML.
  }
  return [...parseAllDocuments(content)].map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new UsageError(`${origin}: ${error.message.trim()}`);
    return document.toJS() as unknown;
  });
}

function resourceOf(value: unknown, origin: string): ResourceDocument {
  const { apiVersion, kind, metadata, spec } = Object(value) as { [name: string]: unknown };
  if (typeof kind !== 'string') throw new UsageError(`${origin}: kind is missing`);
  if (apiVersion !== undefined && typeof apiVersion !== 'string')
    throw new UsageError(`${origin}: apiVersion is no text`);
  for (const [name, member] of Object.entries({ spec, metadata: metadata ?? {} }))
    if (typeof member !== 'object' || member === null || Array.isArray(member))
      throw new UsageError(`${origin}: ${name} is no object`);
  return value as ResourceDocument;
}
