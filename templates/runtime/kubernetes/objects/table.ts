import { type Maybe, own, plainText } from '../../model/fields/values';
import type { Json } from '../../model/schema';
import type { ContentColumn } from '../face/content';
import { type KubernetesContext, parameter } from '../face/face';
import type { AgingText } from '../face/row-forms';
import { badRequest } from '../status/problem';
import type { KubernetesObject } from './object';

/** A column of a Table of meta.k8s.io/v1. */
interface ColumnDefinition {
  name: string;
  type: string;
  format: string;
  description: string;
  /** Columns of 1 and above are of wide tables only. */
  priority: number;
}

/** The part of an object that a row carries. */
type IncludedObject = 'None' | 'Metadata' | 'Object';

/** Returns what the rows of a request's tables carry. Throws a problem 400 for another value of `includeObject`. */
export function includedObject(context: KubernetesContext): IncludedObject {
  const value = parameter(context, 'includeObject') || 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  throw badRequest(`invalid includeObject value: ${JSON.stringify(value)}`);
}

/** The rows and columns of tables of one kind in one version. */
export class TableForm {
  constructor(
    private readonly columns: readonly ContentColumn[],
    private readonly included: IncludedObject,
  ) {}

  /** Returns the definitions of the columns. */
  definitions(): ColumnDefinition[] {
    return [
      column('Name', 'string', 'The name, unique within the kind.', { format: 'name' }),
      ...this.columns.map(({ title, path, type, wide }) =>
        column(title, type, path, { priority: wide === true ? 1 : 0 }),
      ),
      column('Age', 'date', 'The time since the creation.'),
    ];
  }

  /** Returns the row of an object. */
  row(object: KubernetesObject): AgingText {
    const { name, creationTimestamp } = object.metadata;
    const row: AgingText = { parts: [`{"cells":[${JSON.stringify(name)}`], times: [] };
    for (const { path, type } of this.columns) {
      const value = path.split('.').reduce<Maybe>(own, object) ?? null;
      append(row, ',');
      if (type === 'date' && value !== null) appendAge(row, value);
      else append(row, JSON.stringify(value));
    }
    append(row, ',');
    appendAge(row, creationTimestamp);
    const carried = this.included === 'Object' ? object : metadataOf(object);
    append(row, `],"object":${this.included === 'None' ? 'null' : JSON.stringify(carried)}}`);
    return row;
  }

  /** Returns the Table of one row, at a revision. */
  of(row: string, resourceVersion: string): string {
    return `${this.start()}${row}],"metadata":${JSON.stringify({ resourceVersion })}}`;
  }

  /** Returns the start of a Table with these columns, up to its first row. */
  start(): string {
    return `{"kind":"Table","apiVersion":"meta.k8s.io/v1","columnDefinitions":${JSON.stringify(this.definitions())},"rows":[`;
  }
}

function append({ parts }: AgingText, text: string): void {
  parts.push(parts.pop()! + text);
}

function appendAge({ parts, times }: AgingText, since: Json): void {
  times.push(Date.parse(plainText(since)));
  parts.push('');
}

function column(
  name: string,
  type: string,
  description: string,
  { format = '', priority = 0 }: { format?: string; priority?: number } = {},
): ColumnDefinition {
  return { name, type, format, description, priority };
}

/** Returns the metadata of an object alone. */
export function metadataOf({ metadata }: { metadata: object }): object {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}

const [MINUTE, HOUR, DAY, YEAR] = [60, 3_600, 86_400, 365 * 86_400];

/** Two units of an age: from `until` seconds on, the next line applies. */
const LINES: readonly [until: number, unit: number, name: string, rest?: [unit: number, name: string]][] = [
  [2 * MINUTE, 1, 's'],
  [10 * MINUTE, MINUTE, 'm', [1, 's']],
  [3 * HOUR, MINUTE, 'm'],
  [8 * HOUR, HOUR, 'h', [MINUTE, 'm']],
  [2 * DAY, HOUR, 'h'],
  [8 * DAY, DAY, 'd', [HOUR, 'h']],
  [2 * YEAR, DAY, 'd'],
  [8 * YEAR, YEAR, 'y', [DAY, 'd']],
  [Infinity, YEAR, 'y'],
];

/** Returns the time since a moment as Kubernetes shows it: `90s`, `3m5s`, `47h`. Both are in milliseconds. */
function age(since: number, now: number): string {
  const seconds = Math.trunc((now - since) / 1_000);
  if (Number.isNaN(seconds)) return '<unknown>';
  if (seconds < -1) return '<invalid>';
  const [, unit, name, rest] = LINES.find(([until]) => seconds < until)!;
  const left = rest && Math.floor((Math.max(seconds, 0) % unit) / rest[0]);
  return `${Math.floor(Math.max(seconds, 0) / unit)}${name}${left ? `${left}${rest[1]}` : ''}`;
}

/** Returns the JSON text at a moment. */
export function textAt({ parts, times }: AgingText, now: number): string {
  let text = parts[0];
  for (let index = 0; index < times.length; index++) text += `"${age(times[index], now)}"${parts[index + 1]}`;
  return text;
}
