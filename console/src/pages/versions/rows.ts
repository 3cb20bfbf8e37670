import type { ConsoleRule, ConsoleVersion } from '../../../../templates/runtime/console/content';
import { memberOf } from '../../../../templates/runtime/model/fields/members';
import type { Shape } from '../../../../templates/runtime/model/fields/shape';
import type { Schema } from '../../../../templates/runtime/model/schema';

/** The rules of a pair of fields, or of groups of them, in two versions. */
export interface VersionRow {
  /** Dotted paths, such as `spec.location`; empty for a field that only the other version has. */
  left: string[];
  right: string[];
  /** From left to right and back, in words; empty where both versions have the same. */
  rules: { path: string; there: string; back: string }[];
}

/** One conversion, from one version to another one. */
interface Link {
  left: string;
  right: string;
  there: string;
  back: string;
}

/**
 * Returns the fields of two versions next to each other, with the rules between them. The rules of a shared type are in
 * the rows of the fields that have it.
 */
export function versionRows(left: ConsoleVersion, right: ConsoleVersion): VersionRow[] {
  const rows = new Map<string, VersionRow>();
  const links = linksOf(left.rules, right.rules);
  const ofFields = links.filter((link) => !isOfType(link)).flatMap((link) => opened(link, left, right));
  for (const link of ofFields) {
    const [lefts, rights] = [rootsOf(link.left), rootsOf(link.right)];
    const known = [...rows.values()].find((row) => contains(row, lefts, rights));
    const row = known ?? { left: lefts, right: rights, rules: [] };
    if (known === undefined) rows.set(`${lefts.join()} ${rights.join()}`, row);
    const isSame = link.left === link.right && link.there === COPIED && link.back === COPIED;
    if (!isSame) row.rules.push(ruleOf(link));
  }
  const ofTypes = links.filter((link) => isOfType(link) && !isCopied(link));
  for (const row of rows.values()) {
    // Fields that are the same in both versions have the same types there.
    if (row.rules.length === 0) continue;
    const types = [typesWithin(left, row.left), typesWithin(right, row.right)];
    const found = ofTypes.filter((link) =>
      [link.left, link.right].every((path, side) => path === '' || types[side].has(headOf(path))),
    );
    row.rules.push(...found.map(ruleOf));
  }
  return [...rows.values()].sort((one, other) => partOf(one) - partOf(other));
}

const COPIED = 'copied';

function ruleOf(link: Link): VersionRow['rules'][number] {
  return { path: pathOf(link), there: link.there, back: link.back };
}

/** Returns the first step of a path: a part of the resource, or the name of a shared type. */
function headOf(path: string): string {
  return path.split(/[.[{]/, 1)[0];
}

function isOfType({ left, right }: Link): boolean {
  return !['spec', 'status'].includes(headOf(left || right));
}

/** Returns whether two types have a field in the same place with the same value. */
function isCopied({ left, right, there, back }: Link): boolean {
  const isSame = left.slice(headOf(left).length) === right.slice(headOf(right).length);
  return isSame && there === COPIED && back === COPIED;
}

/** Returns the names of the shared types that the fields at these paths have, at any depth. */
function typesWithin({ spec, status, types }: ConsoleVersion, paths: string[]): Set<string> {
  const found = new Set<string>();
  const root: Shape = { schema: { type: 'object', properties: { spec, status } }, types };
  const add = ({ $ref, properties = {}, items, additionalProperties }: Schema): void => {
    const name = $ref?.slice('#/$defs/'.length);
    if (name !== undefined && !found.has(name)) {
      found.add(name);
      add(types[name] ?? {});
    }
    for (const below of [...Object.values(properties), items, additionalProperties]) if (below) add(below);
  };
  for (const path of paths) {
    const steps = path.split('.');
    const shape = steps.reduce<Shape | undefined>((around, step) => around && memberOf(around, step), root);
    if (shape !== undefined) add(shape.schema);
  }
  return found;
}

/** Returns the conversions from one version to another; two that are both not stored meet in the storage version. */
function linksOf(left: ConsoleRule[] | undefined, right: ConsoleRule[] | undefined): Link[] {
  if (left === undefined)
    return (right ?? []).map(({ hub, spoke, read, write }) => ({
      left: hub,
      right: spoke,
      there: read,
      back: write,
    }));
  if (right === undefined)
    return left.map(({ hub, spoke, read, write }) => ({ left: spoke, right: hub, there: write, back: read }));
  const met = left.map(({ hub, spoke, read, write }) => {
    const other = hub === '' ? undefined : right.find((rule) => rule.hub === hub);
    const there = chain(write, other?.read);
    return { left: spoke, right: other?.spoke ?? '', there, back: chain(other?.write, read) };
  });
  const rest = right
    .filter(({ hub }) => hub === '' || !left.some((rule) => rule.hub === hub))
    .map(({ spoke, read, write }) => ({ left: '', right: spoke, there: read, back: write }));
  return [...met, ...rest].filter(({ left, right }) => left !== '' || right !== '');
}

function chain(...steps: (string | undefined)[]): string {
  const words = steps.filter((step): step is string => step !== undefined && step !== '');
  return [...new Set(words)].join(', then ');
}

/** A part that is the same in both versions is shown field by field. */
function opened(link: Link, left: ConsoleVersion, right: ConsoleVersion): Link[] {
  const part = link.left;
  if (part !== link.right || (part !== 'spec' && part !== 'status')) return [link];
  const names = [left, right].flatMap((version) => Object.keys(version[part].properties ?? {}));
  return [...new Set(names)].map((name) => ({ ...link, left: `${part}.${name}`, right: `${part}.${name}` }));
}

/** Returns the fields that a path names, as far as they are no elements of lists or values of maps. */
function rootsOf(path: string): string[] {
  if (path === '') return [];
  // A key, in brackets, may have a comma.
  const paths = path.split(/, (?![^[{]*[\]}])/);
  return [...new Set(paths.map((each) => each.replace(/[[{*].*$/, '').replace(/\.$/, '')))];
}

/** A rule within a list belongs to the row of the list, also one for what only one version has in it. */
function contains(row: VersionRow, lefts: string[], rights: string[]): boolean {
  const isWithin = (own: string[], other: string[]): boolean => other.every((path) => own.includes(path));
  return isWithin(row.left, lefts) && isWithin(row.right, rights);
}

function pathOf({ left, right }: Link): string {
  if (left === '' || right === '' || left === right) return left || right;
  return `${left} ↔ ${right}`;
}

/** The spec comes first, then the status. */
function partOf({ left, right }: VersionRow): number {
  const [path = ''] = [...left, ...right];
  return ['spec', 'status'].findIndex((part) => path.startsWith(part)) >>> 0;
}
