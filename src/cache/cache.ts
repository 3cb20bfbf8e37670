import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from './digest';
import { generatorId } from './generator-id';
import type { CachedPart } from './openapi-parts';
import type { OutputFile } from '../render/outputs';
import type { KnownKind } from '../load/known-kinds';
import { GENERATED_HEADER } from '../write/ownership';
import { CACHE_FILE } from '../write/tree-plan';

/**
 * What a run knows that the next one need not find out again. All of it follows from its keys alone, never from what
 * is on the disk: a cache that is old, or of another folder, saves nothing and changes nothing.
 */
export interface Cache {
  /** What inputsDigest gave for the run. */
  inputs: string;
  /** The imports as project.yaml has them. */
  imports: string[];
  /** What the run told of fields that only one version of a kind has, by the source of the kind. */
  notices: { [source: string]: string[] };
  /** What parsing project.yaml gave for its kinds. */
  kinds: KnownKind[];
  files: CachedFile[];
  /** What the kinds have in openapi.json. */
  openApi: CachedPart[];
}

/** A file of the run. A user's has no digest: whatever stands there is right. */
export interface CachedFile extends Pick<OutputFile, 'path' | 'owner'> {
  /** What the file was made of, as `PlannedFile` says it. */
  source: string;
  digest?: string;
}

/** The cache in a project folder; undefined where there is none that this very svcgen wrote, whole. */
export function readCache(root: string): Cache | undefined {
  const path = join(root, CACHE_FILE);
  let text: string;
  try {
    if (!lstatSync(path).isFile()) return undefined;
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  const [, digest, body] = /^.*\n(.*)\n([^]*)$/.exec(text) ?? [];
  return body !== undefined && digest === seal(body) ? (JSON.parse(body) as Cache) : undefined;
}

/** A cache as a file. */
export function cacheText(cache: Cache): string {
  const body = JSON.stringify(cache);
  return `${GENERATED_HEADER}\n${seal(body)}\n${body}`;
}

function seal(body: string): string {
  return digestOf(generatorId(), body);
}
