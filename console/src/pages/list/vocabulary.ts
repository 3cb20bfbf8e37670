import { useRef } from 'preact/hooks';
import type { ConsoleField } from '../../../../templates/runtime/console/content';
import type { Json } from '../../../../templates/runtime/model/schema';
import { escaped, type Vocabulary } from '../../data/completion';
import { valueAt } from '../../data/field-path';
import type { Row } from './list-data';

/** Maximum number of names, and of values of one name. */
const MOST = 200;
/** Longer values are not suggested. */
const LONGEST = 100;

/** Values by name, as lists have shown them since the page was opened. */
type Seen = Map<string, Set<string>>;

/** The words for the selectors of a list: what its pages have shown so far, also under other selectors. */
export function useVocabulary(
  fields: ConsoleField[],
  rows: Row[],
): { labels: Vocabulary; fields: Vocabulary } {
  const labels = useRef<Seen>(new Map()).current;
  const values = useRef<Seen>(new Map()).current;
  for (const { resource } of rows) {
    for (const [key, value] of Object.entries(resource.metadata.labels ?? {})) add(labels, key, value);
    for (const { path } of fields) addField(values, path, valueAt(resource, path));
  }
  for (const { path, type } of fields)
    if (type === 'boolean') ['true', 'false'].forEach((value) => add(values, path, value));
  return {
    labels: {
      names: [...labels.keys()].sort().map((name) => ({ name, note: 'label' })),
      values: listed(labels),
    },
    fields: {
      names: fields.map(({ path, type, isList }) => ({
        name: path,
        note: isList ? `list of ${type}` : type,
      })),
      values: listed(values),
    },
  };
}

function addField(seen: Seen, path: string, value: Json | undefined): void {
  for (const each of Array.isArray(value) ? value : [value])
    if (each !== undefined && each !== null && typeof each !== 'object')
      add(seen, path, escaped(String(each)));
}

function add(seen: Seen, name: string, value: string): void {
  const values = seen.get(name) ?? new Set<string>();
  if (values.size < MOST && value !== '' && value.length <= LONGEST) values.add(value);
  if (seen.size < MOST) seen.set(name, values);
}

function listed(seen: Seen): Vocabulary['values'] {
  return new Map([...seen].map(([name, values]) => [name, [...values].sort()]));
}
