import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cache } from './cache';
import { digestOf } from './digest';
import { OPENAPI_FILE, PART_TEXTS, type PrintedPart } from '../render/openapi-file';

/** What a kind has in openapi.json, and where its texts are there: start and end of each, in the order of PART_TEXTS. */
export interface CachedPart extends Omit<PrintedPart, 'texts'> {
  places: [start: number, end: number][];
}

/** Where the parts of a document are. */
export function placesOf(text: string, parts: PrintedPart[]): CachedPart[] {
  const from = Object.fromEntries(PART_TEXTS.map((name) => [name, 0]));
  return parts.map(({ texts, ...part }) => ({
    ...part,
    places: PART_TEXTS.map((name): [number, number] => {
      const start = text.indexOf(texts[name], from[name]);
      from[name] = start + texts[name].length;
      return [start, from[name]];
    }),
  }));
}

/**
 * The parts of the openapi.json in a project folder by their sources: a document of thousands of operations changes in
 * few of them. There are none if the file is not the one that the cache tells of.
 */
export function partsOf(
  root: string,
  { files, openApi }: Cache,
): (source: string) => PrintedPart | undefined {
  const text = readDocument(root, files);
  const known = new Map(text === undefined ? [] : openApi.map((part) => [part.source, part]));
  return (source) => {
    const part = known.get(source);
    if (part === undefined || text === undefined) return undefined;
    const { places, ...rest } = part;
    const cut = PART_TEXTS.map((name, index) => [name, text.slice(...places[index]!)]);
    return { ...rest, texts: Object.fromEntries(cut) as PrintedPart['texts'] };
  };
}

function readDocument(root: string, files: Cache['files']): string | undefined {
  const digest = files.find(({ path }) => path === OPENAPI_FILE)?.digest;
  try {
    const bytes = readFileSync(join(root, OPENAPI_FILE));
    return digestOf(bytes) === digest ? bytes.toString() : undefined;
  } catch {
    return undefined;
  }
}
