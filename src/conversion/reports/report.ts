import { markdownTable } from '../../code/markdown';
import { PARTS } from '../../model/fields';
import type { Json } from '../../model/project';
import { presetOf } from '../plan/containers';
import {
  type Container,
  type ConversionPlan,
  isWhole,
  type LensPlan,
  type Link,
  type Meaning,
  objectOf,
  type ObjectPlan,
  STEPS_INSIDE,
} from '../plan/plan';
import { stepsText } from '../rules/path';
import { indexFields, type UnnamedField, unnamedFields } from './unnamed';

/** One line of CONVERSION.md: a field of one version or of both, and what becomes of it in each direction. */
interface ReportRow {
  /** The path in the storage version; empty for a field that only the spoke has. */
  hub: string;
  spoke: string;
  /** From the storage version to the spoke. */
  read: string;
  /** From the spoke to the storage version. */
  write: string;
}

/** Every field of the storage version and one spoke, with how it converts. */
interface SpokeReport {
  version: string;
  rows: ReportRow[];
  /** Fields that the storage version cannot hold. */
  preserved: string[];
  dropped: string[];
}

/** The data of CONVERSION.md for one spoke. */
export function spokeReport(plan: ConversionPlan): SpokeReport {
  const report: SpokeReport = { version: plan.spokeVersion, rows: [], preserved: [], dropped: [] };
  const copied = PARTS.filter((part) => plan[part].kind === 'copy');
  for (const part of copied) report.rows.push({ hub: part, spoke: part, read: 'copied', write: 'copied' });
  const found = new Set<ObjectPlan>();
  for (const part of PARTS) addInside(plan[part], { hub: part, spoke: part }, { report, found });
  return report;
}

/** The paths of two values that belong together. */
type Paths = Pick<ReportRow, 'hub' | 'spoke'>;

/** The context in which objects are reported, each of them once. */
interface ReportContext {
  report: SpokeReport;
  found: Set<ObjectPlan>;
}

/** Reports the objects inside two values, outer ones first. */
function addInside(lens: LensPlan, at: Paths, context: ReportContext): void {
  const object = objectOf(lens);
  if (object !== undefined) return addWithInner(object, context);
  if (!('inner' in lens)) return;
  const [hub, spoke] = STEPS_INSIDE[lens.kind];
  const inside = { hub: at.hub + hub, spoke: at.spoke + spoke };
  if ('index' in lens) {
    addUnnamed(indexFields(lens, at), context.report);
    const copied = 'the other fields: copied';
    if (lens.inner.kind === 'copy') context.report.rows.push({ ...inside, read: copied, write: copied });
  }
  addInside(lens.inner, inside, context);
  if ('special' in lens)
    for (const [key, one] of lens.special) addSpecial(one, at, specialSteps(lens, key), context);
}

function addWithInner(object: ObjectPlan, context: ReportContext): void {
  if (context.found.has(object)) return;
  context.found.add(object);
  addObject(object, context.report);
  for (const { hub, spoke, lens } of object.links)
    addInside(lens, { hub: hub.slot.text, spoke: spoke.slot.text }, context);
}

/** The steps to all elements or entries, and to the one that a special lens is for. */
function specialSteps(
  { kind, inner, hubKey, spokeKey }: LensPlan & { kind: 'list' | 'mapOf' },
  value: string | number,
): [all: string, hub: string, spoke: string] {
  if (kind === 'mapOf') return ['{}', `{${value}}`, `{${value}}`];
  const fields = inner.kind === 'object' ? inner.object.links : [];
  const key = fields.find(({ hub }) => stepsText(hub.steps) === hubKey);
  // A rule for the key gives the element another one in the spoke.
  const isSame = key === undefined || key.lens.kind === 'copy';
  return ['[]', `[${hubKey}=${value}]`, isSame ? `[${spokeKey}=${value}]` : '[]'];
}

/** Reports an element or entry that has rules of its own under its key, not as all the others. */
function addSpecial(
  lens: LensPlan,
  at: Paths,
  [all, hub, spoke]: [all: string, hub: string, spoke: string],
  { report, found }: ReportContext,
): void {
  const own: SpokeReport = { version: report.version, rows: [], preserved: [], dropped: [] };
  addInside(lens, { hub: at.hub + all, spoke: at.spoke + all }, { report: own, found });
  const named = (above: string, one: string) => (texts: string) =>
    pathsIn(texts)
      .map((text) => (text.startsWith(above + all) ? above + one + text.slice((above + all).length) : text))
      .join(', ');
  const [ours, theirs] = [named(at.hub, hub), named(at.spoke, spoke)];
  report.rows.push(...own.rows.map((row) => ({ ...row, hub: ours(row.hub), spoke: theirs(row.spoke) })));
  report.preserved.push(...own.preserved.map(theirs));
  report.dropped.push(...own.dropped.map(theirs));
}

function addUnnamed({ side, path, read, write, isPreserved }: UnnamedField, report: SpokeReport): void {
  report.rows.push({ hub: '', spoke: '', [side]: path, read, write });
  if (isPreserved) report.preserved.push(path);
}

/** CONVERSION.md: how a kind is converted between its versions. */
export function conversionReport(kind: string, plans: ConversionPlan[]): string {
  const hub = plans[0].hubVersion;
  return [
    `# Conversion of ${kind}\n`,
    `Resources are stored in ${hub}. Reads and writes in other versions are converted by the rules in project.yaml.`,
    'A value that a client sends back unchanged does not change the stored value. Values that a version cannot express stay stored.\n',
    ...plans.map((plan) => spokeSection(hub, spokeReport(plan))),
  ].join('\n');
}

function spokeSection(hub: string, { version, rows, preserved, dropped }: SpokeReport): string {
  const lines = rows.map((row) => [cell(row.hub), cell(row.spoke), text(row.read), text(row.write)]);
  const lists = [
    preserved.length > 0
      ? `Preserved for ${version}, with the resource: ${preserved.map(code).join(', ')}.\n`
      : `Nothing is preserved for ${version}, except values that would otherwise read back differently.\n`,
    dropped.length > 0 ? `Accepted and discarded: ${dropped.map(code).join(', ')}.\n` : '',
  ];
  return [
    `## ${version}\n`,
    `${markdownTable([hub, version, `read as ${version}`, `written as ${version}`], lines)}\n`,
    ...lists.filter((line) => line !== ''),
  ].join('\n');
}

function addObject(object: ObjectPlan, report: SpokeReport): void {
  const add = (hub: string, spoke: string, read: string, write: string): void =>
    void report.rows.push({ hub, spoke, read, write });
  for (const link of object.links) report.rows.push(linkRow(link, object.spoke));
  for (const { hub, spoke, rule } of object.several) {
    const [read, write] =
      rule.name === 'custom'
        ? [`by ${rule.options.name}FromHub`, `by ${rule.options.name}ToHub`]
        : joinDirections(rule.options.separator!, hub.length > 1);
    const names = (leaves: typeof hub) => leaves.map(({ slot }) => slot.text).join(', ');
    add(names(hub), names(spoke), read, write);
  }
  for (const { slot } of object.hidden) {
    const isFilled = slot.required || slot.default !== undefined;
    add(slot.text, '', 'not shown', isFilled ? 'filled in on creation, then unchanged' : 'unchanged');
  }
  for (const { slot } of object.preserved) {
    const otherwise = slot.default === undefined ? '' : `, or ${JSON.stringify(slot.default)}`;
    add('', slot.text, `the value last written through this version${otherwise}`, 'preserved');
    report.preserved.push(slot.text);
  }
  for (const { slot, steps } of object.dropped) {
    const preset = presetOf(object.spoke, steps);
    const read = preset === undefined ? 'not shown' : `always ${JSON.stringify(preset.value)}`;
    add('', slot.text, read, 'dropped');
    report.dropped.push(slot.text);
  }
  for (const field of unnamedFields(object)) addUnnamed(field, report);
  addDefaults(object.hub, (path, value) => add(path, '', '', `${value} on creation`));
  addDefaults(object.spoke, (path, value) => add('', path, `${value} if nothing supplies it`, ''));
}

function addDefaults(holder: Container, add: (path: string, value: string) => void): void {
  for (const { name, value, rule } of holder.defaults) {
    if (rule !== undefined) add(`${holder.slot.text}.${name}`, JSON.stringify(value));
  }
  holder.children.forEach((child) => addDefaults(child, add));
}

/** A rule `default` has a row of its own. What the storage version fills in itself is always there. */
function linkRow({ hub, spoke, lens }: Link, within: Container): ReportRow {
  const [read, write] = directions(lens);
  const preset = presetOf(within, spoke.steps);
  const isShown = preset !== undefined && preset.rule === undefined && hub.slot.default === undefined;
  const otherwise = isShown ? `, or ${JSON.stringify(preset.value)}` : '';
  return { hub: hub.slot.text, spoke: spoke.slot.text, read: read + otherwise, write };
}

/** Describes a lens in each direction, in a few words. */
function directions(lens: LensPlan): [read: string, write: string] {
  switch (lens.kind) {
    case 'copy':
      return ['copied', 'copied'];
    case 'map':
      return mapDirections(lens);
    case 'scale': {
      const round = (type: string) => (type === 'integer' ? ', rounded' : '');
      return [`÷ ${lens.factor}${round(lens.spoke)}`, `× ${lens.factor}${round(lens.hub)}`];
    }
    case 'castFromText':
      return [
        `parsed as ${meaning(lens.meaning)}, else ${JSON.stringify(lens.otherwise)}`,
        'formatted as a string',
      ];
    case 'castToText':
      return [
        'formatted as a string',
        `parsed as ${meaning(lens.meaning)}${lens.otherwise === undefined ? '' : `, else ${JSON.stringify(lens.otherwise)}`}`,
      ];
    case 'joinList':
      return joinDirections(lens.separator, lens.side === 'hub');
    case 'object':
    case 'type':
      return ['field by field', 'field by field'];
    case 'list':
    case 'mapOf': {
      const each = `each${isWhole(lens) ? '' : ' other'} ${lens.kind === 'list' ? 'element' : 'value'}`;
      const [read, write] = directions(lens.inner);
      return [`${each}: ${read}`, `${each}${lens.hubKey ? ', matched by key' : ''}: ${write}`];
    }
    case 'firstOfHub':
      return ['the first element', 'the first element; the others are unchanged'];
    case 'firstOfSpoke':
      return ['a list of it', 'its first element; the others are preserved'];
    case 'mapAsList':
    case 'listAsMap':
      return indexDirections(lens);
    case 'boxedHub':
    case 'boxedSpoke':
      return ['one field of it', 'one field of it'];
  }
}

function indexDirections({
  kind,
  index: { key, except },
}: LensPlan & { kind: 'mapAsList' | 'listAsMap' }): [read: string, write: string] {
  const [list, map] = [`a list with the key ${key}`, `a map by ${key}`];
  if (kind === 'mapAsList') return except.length > 0 ? [`the other entries: ${list}`, map] : [list, map];
  return except.length > 0 ? [`the other elements: ${map}`, list] : [map, list];
}

function mapDirections({ pairs, otherwise }: LensPlan & { kind: 'map' }): [string, string] {
  const write = new Map<Json, Json>();
  for (const [hub, spoke] of pairs) if (!write.has(spoke)) write.set(spoke, hub);
  const listed = (all: Iterable<[Json, Json]>, other: Json | undefined) =>
    [
      ...[...all].map(([from, to]) => `${show(from)} → ${show(to)}`),
      ...(other === undefined ? [] : [`else ${show(other)}`]),
    ].join(', ');
  return [listed(pairs, otherwise.spoke), listed(write, otherwise.hub)];
}

function meaning(of: Meaning): string {
  return of === 'duration' || of === 'duration in whole seconds'
    ? 'a duration in seconds'
    : `${of === 'integer' ? 'an' : 'a'} ${of}`;
}

function show(value: Json): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

function joinDirections(separator: string, isHubDivided: boolean): [read: string, write: string] {
  const quoted = JSON.stringify(separator);
  const [joined, split] = [`joined by ${quoted}`, `split at ${quoted}`];
  return isHubDivided ? [joined, split] : [split, joined];
}

function cell(path: string): string {
  return path === '' ? '' : pathsIn(path).map(code).join(', ');
}

/** Returns the paths of a side of a row. A key of an element or entry, in brackets, may have a comma. */
function pathsIn(side: string): string[] {
  return side.split(/, (?![^[{]*[\]}])/);
}

function code(path: string): string {
  return `\`${path.replaceAll('|', '\\|')}\``;
}

function text(words: string): string {
  return words.replaceAll('\n', ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
