import type { Json } from '../model';
import { findContainer } from './containers';
import { lastName } from './path';
import type { Container, ConversionPlan, LensPlan, Link, Meaning, ScopePlan } from './plan';
import { reach } from './plan-walk';

/** One line of CONVERSION.md: a field of one version or of both, and what becomes of it in each direction. */
export interface ReportRow {
  /** The path in the storage version; empty for a field that only the spoke has. */
  hub: string;
  spoke: string;
  /** From the storage version to the spoke. */
  read: string;
  /** From the spoke to the storage version. */
  write: string;
}

/** What becomes of every field between the storage version and one spoke. */
export interface SpokeReport {
  version: string;
  rows: ReportRow[];
  /** What a client of this version writes and the storage version cannot hold. */
  keptAside: string[];
  dropped: string[];
}

/** The data of CONVERSION.md for one spoke. */
export function spokeReport(plan: ConversionPlan): SpokeReport {
  const report: SpokeReport = { version: plan.spokeVersion, rows: [], keptAside: [], dropped: [] };
  for (const name of ['spec', 'status'] as const) {
    const lens = plan[name];
    if (lens.kind === 'copy') report.rows.push({ hub: name, spoke: name, read: 'copied', write: 'copied' });
  }
  for (const scope of reach(plan)) addScope(scope, report);
  return report;
}

/** CONVERSION.md: how a kind is converted between its versions. */
export function conversionReport(kind: string, plans: ConversionPlan[]): string {
  const hub = plans[0].hubVersion;
  const parts = plans.map((plan) => spokeSection(hub, spokeReport(plan)));
  return [
    `# How ${kind} is converted\n`,
    `Resources are stored in ${hub}; what clients read and write in another version is converted by the rules in project.yaml.`,
    'What a client sends as it read it leaves what is stored as it is, and what a version cannot say stays stored.\n',
    ...parts,
  ].join('\n');
}

function spokeSection(hub: string, { version, rows, keptAside, dropped }: SpokeReport): string {
  const lines = rows.map((row) => [cell(row.hub), cell(row.spoke), text(row.read), text(row.write)]);
  const lists = [
    keptAside.length > 0
      ? `Kept aside for ${version}, with the resource: ${keptAside.map(code).join(', ')}.\n`
      : `Nothing is kept aside for ${version} but what is written and would read back as something else.\n`,
    dropped.length > 0 ? `Accepted and forgotten: ${dropped.map(code).join(', ')}.\n` : '',
  ];
  return [
    `## ${version}\n`,
    table([[hub, version, `read as ${version}`, `written as ${version}`], ...lines]),
    ...lists.filter((line) => line !== ''),
  ].join('\n');
}

/** A table of Markdown, its columns as wide as their cells. */
function table([head, ...lines]: string[][]): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...lines].map((line) => [...line[column]].length)),
  );
  const row = (cells: string[]) =>
    `| ${cells.map((one, column) => one + ' '.repeat(widths[column] - [...one].length)).join(' | ')} |\n`;
  return [row(head), row(widths.map((width) => '-'.repeat(width))), ...lines.map(row)].join('');
}

function addScope(scope: ScopePlan, report: SpokeReport): void {
  for (const link of scope.links) report.rows.push(linkRow(link));
  for (const { hub, spoke, rule } of scope.several) {
    const [read, write] =
      rule.name === 'custom'
        ? [`by ${rule.options.name}FromHub`, `by ${rule.options.name}ToHub`]
        : hub.length > 1
          ? [`joined by ${quote(rule.options.separator!)}`, `split at ${quote(rule.options.separator!)}`]
          : [`split at ${quote(rule.options.separator!)}`, `joined by ${quote(rule.options.separator!)}`];
    const names = (leaves: typeof hub) => leaves.map(({ slot }) => slot.text).join(', ');
    report.rows.push({ hub: names(hub), spoke: names(spoke), read, write });
  }
  for (const { slot } of scope.hidden) {
    const made =
      slot.required || slot.default !== undefined
        ? 'filled in when it is made, then stays'
        : 'stays as it is';
    report.rows.push({ hub: slot.text, spoke: '', read: 'not shown', write: made });
  }
  for (const { slot } of scope.aside) {
    report.rows.push({
      hub: '',
      spoke: slot.text,
      read: 'what this version last wrote',
      write: 'kept aside',
    });
    report.keptAside.push(slot.text);
  }
  for (const { leaf } of scope.dropped) {
    const holder = findContainer(scope.spoke, leaf.steps.slice(0, -1));
    const preset = holder?.defaults.find(({ name }) => name === lastName(leaf.steps));
    const read = preset === undefined ? 'not shown' : `always ${JSON.stringify(preset.value)}`;
    report.rows.push({ hub: '', spoke: leaf.slot.text, read, write: 'dropped' });
    report.dropped.push(leaf.slot.text);
  }
  addDefaults(scope.hub, (path, value) =>
    report.rows.push({ hub: path, spoke: '', read: '', write: `${value} where it is made` }),
  );
  addDefaults(scope.spoke, (path, value) =>
    report.rows.push({ hub: '', spoke: path, read: `${value} where nothing supplies it`, write: '' }),
  );
}

function addDefaults(holder: Container, add: (path: string, value: string) => void): void {
  for (const { name, value, rule } of holder.defaults) {
    if (rule !== undefined) add(`${holder.slot.text}.${name}`, JSON.stringify(value));
  }
  holder.children.forEach((child) => addDefaults(child, add));
}

function linkRow({ hub, spoke, lens }: Link): ReportRow {
  const [read, write] = directions(lens);
  return { hub: hub.slot.text, spoke: spoke.slot.text, read, write };
}

/** What a lens does in each direction, in a few words. */
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
      return [`read as ${meaning(lens.meaning)}, else ${JSON.stringify(lens.otherwise)}`, 'written as text'];
    case 'castToText':
      return ['written as text', `read as ${meaning(lens.meaning)}`];
    case 'joinList': {
      const both: [string, string] = [
        `joined by ${quote(lens.separator)}`,
        `split at ${quote(lens.separator)}`,
      ];
      return lens.side === 'hub' ? both : [both[1], both[0]];
    }
    case 'scope':
    case 'type':
      return ['field by field', 'field by field'];
    case 'list':
      return each(lens.element, 'each element', lens.hubKey ? ', matched by key' : '');
    case 'mapOf':
      return each(lens.value, 'each value', '');
    case 'firstOfHub':
      return ['the first element', 'the first element; the others stay'];
    case 'firstOfSpoke':
      return ['a list of it', 'its first element; the others are kept aside'];
    case 'mapAsList':
      return [`a list with the key ${lens.index.key}`, `a map by ${lens.index.key}`];
    case 'listAsMap':
      return [`a map by ${lens.index.key}`, `a list with the key ${lens.index.key}`];
    case 'boxedHub':
    case 'boxedSpoke':
      return ['one field of it', 'one field of it'];
  }
}

function each(lens: LensPlan, what: string, matched: string): [string, string] {
  const [read, write] = directions(lens);
  return [`${what}: ${read}`, `${what}${matched}: ${write}`];
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

function quote(separator: string): string {
  return JSON.stringify(separator);
}

function cell(path: string): string {
  return path === '' ? '' : path.split(', ').map(code).join(', ');
}

function code(path: string): string {
  return `\`${path.replaceAll('|', '\\|')}\``;
}

function text(words: string): string {
  return words.replaceAll('\n', ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
