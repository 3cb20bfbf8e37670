import type { JSX } from 'preact';
import type { ConsoleColumn } from '../../../../templates/runtime/console/content';
import type { Resource } from '../../data/api';
import { valueAt } from '../../data/field-path';
import { Age } from '../../parts/age';
import { Text } from '../../parts/text';

/** Maximum length of a value in a table, in characters. */
const LONGEST = 120;

/** The value of a column. */
export function Cell({ resource, column }: { resource: Resource; column: ConsoleColumn }): JSX.Element {
  const value = valueAt(resource, column.path);
  if (value === undefined || value === null || value === '') return <span class="soft">–</span>;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (column.type === 'date') return <Age time={text} />;
  return <Text value={text} longest={LONGEST} />;
}
