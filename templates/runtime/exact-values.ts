import type { Body, SpokeConverter } from './conversion/converter';
import { same, type Maybe } from './conversion/values';
import { isObject, type Json, type JsonObject } from './schema';

/** What an earlier hub stored, and how it is converted to and from the present one. */
export interface Earlier {
  body: Body;
  converter: SpokeConverter;
}

/**
 * What a version shows of the present hub's object, with the exact values of the earlier hub where the present one is
 * coarser: where both versions read the same of a field of the hub, they meant the same by it. Whether a value is one
 * that the version would store so is for its own converter to say.
 */
export function withExactValues(
  shown: Body,
  hub: Body,
  version: SpokeConverter,
  { body, converter }: Earlier,
): Body {
  const coarse = converter.fromHub(hub, undefined);
  const exact = structuredClone(shown);
  for (const pointer of leaves(hub as unknown as Json, '')) {
    const from = converter.toSpokePointer(pointer, { hub, spoke: body });
    const value = at(body, from);
    const read = at(coarse, from);
    if (value === undefined || read === undefined || isNested(value) || same(value, read)) continue;
    const to = version.toSpokePointer(pointer, { hub, spoke: shown });
    if (same(at(shown, to), read)) put(exact, to, value);
  }
  return exact;
}

/** The pointers of every value that holds no other. */
function leaves(value: Json, pointer: string): string[] {
  if (!isNested(value)) return [pointer];
  return Object.entries(value).flatMap(([name, member]) => leaves(member, `${pointer}/${escaped(name)}`));
}

function escaped(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

function isNested(value: Json): value is Json[] | JsonObject {
  return Array.isArray(value) || isObject(value);
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function at(body: Body, pointer: string): Maybe {
  return stepsOf(pointer).reduce<Maybe>(
    (value, step) => (isObject(value) || Array.isArray(value) ? member(value, step) : undefined),
    { ...body },
  );
}

function member(value: Json[] | JsonObject, step: string): Maybe {
  return Object.hasOwn(value, step) ? (value as JsonObject)[step] : undefined;
}

/** Replaces a value that is there. */
function put(body: Body, pointer: string, value: Json): void {
  const steps = stepsOf(pointer);
  const last = steps.pop()!;
  const holder = steps.reduce<Maybe>((inside, step) => member(inside as JsonObject, step), { ...body });
  (holder as JsonObject)[last] = value;
}
