import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { own } from '../../../templates/runtime/model/fields/values';
import { isObject, type Json, type JsonObject, type Schema } from '../../../templates/runtime/model/schema';
import { Age } from './age';
import { Growing } from './growing';
import { Text } from './text';

/** The shared types that schemas refer to, by name. */
export interface Types {
  [name: string]: Schema;
}

interface ValueProps {
  value: Json | undefined;
  /** Undefined for a value that no schema describes. */
  schema: Schema | undefined;
  types: Types;
  /** How deep it nests. */
  depth: number;
}

/** Deeper values are shown as JSON. */
const DEEPEST = 10;
/** Length of a string that is shown at first, in characters. */
const LONG = 1_000;

/** Returns the schema that a reference stands for. */
export function resolved(schema: Schema | undefined, types: Types): Schema | undefined {
  const name = schema?.$ref?.replace('#/$defs/', '');
  return name !== undefined && Object.hasOwn(types, name) ? types[name] : schema;
}

/** A value as its schema describes it. */
export function FieldValue({ value, schema, types, depth }: ValueProps): JSX.Element {
  const shape = resolved(schema, types);
  if (value === undefined || value === null) return <span class="soft">–</span>;
  if (typeof value === 'string') return <StringValue value={value} isTime={shape?.format === 'date-time'} />;
  if (typeof value !== 'object') return <code>{String(value)}</code>;
  if (Object.keys(value).length === 0)
    return <span class="soft">{Array.isArray(value) ? 'empty list' : 'empty'}</span>;
  if (depth >= DEEPEST) return <StringValue value={JSON.stringify(value)} isTime={false} />;
  if (Array.isArray(value)) return <List value={value} items={shape?.items} {...{ types, depth }} />;
  return <Fields value={value} schema={shape} types={types} depth={depth + 1} />;
}

function StringValue({ value, isTime }: { value: string; isTime: boolean }): JSX.Element {
  const [all, setAll] = useState(false);
  if (value === '') return <span class="soft">empty text</span>;
  const isLong = value.length > LONG;
  return (
    <span class="string">
      <Text value={value} longest={all ? value.length : LONG} />
      {isTime && !Number.isNaN(Date.parse(value)) && (
        <span class="soft">
          {' '}
          · <Age time={value} />
        </span>
      )}
      {isLong && !all && (
        <button type="button" class="more" onClick={() => setAll(true)}>
          Show all
        </button>
      )}
    </span>
  );
}

interface FieldsProps extends Omit<ValueProps, 'value'> {
  value: JsonObject;
  /** True to name declared fields without a value too. */
  showsAbsent?: boolean;
}

/** The fields of an object, declared ones first, in the order of their declaration. */
export function Fields({ value, schema, types, depth, showsAbsent = false }: FieldsProps): JSX.Element {
  const shape = resolved(schema, types);
  const { properties = {}, additionalProperties } = shape ?? {};
  const valueSchema = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const declared = Object.keys(properties).filter((name) => showsAbsent || Object.hasOwn(value, name));
  const others = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  const isMap = valueSchema !== undefined || shape?.properties === undefined;
  return (
    <Growing entries={[...declared, ...others]}>
      {(names) => (
        <dl class={`fields${isMap ? ' map' : ''}`}>
          {names.map((name) => {
            const isDeclared = Object.hasOwn(properties, name);
            const field = isDeclared ? resolved(properties[name], types) : valueSchema;
            return (
              <div key={name}>
                <dt title={(isDeclared && (properties[name].description ?? field?.description)) || undefined}>
                  {name === '' ? <span class="soft">empty key</span> : <Text value={name} longest={300} />}
                  {!isDeclared && !isMap && <span class="soft"> not declared</span>}
                </dt>
                <dd>
                  <FieldValue value={own(value, name)} schema={field} {...{ types, depth }} />
                </dd>
              </div>
            );
          })}
        </dl>
      )}
    </Growing>
  );
}

interface ListProps extends Pick<ValueProps, 'types' | 'depth'> {
  value: Json[];
  items: Schema | undefined;
}

function List({ value, items, types, depth }: ListProps): JSX.Element {
  const objects = value.filter(isObject);
  const columns = [...new Set(objects.flatMap((each) => Object.keys(each)))];
  const isFlat = objects.every((each) => Object.values(each).every((member) => typeof member !== 'object'));
  if (objects.length === value.length && isFlat && columns.length <= 6)
    return <FlatTable rows={objects} columns={columns} schema={resolved(items, types)} types={types} />;
  return (
    <Growing entries={value}>
      {(shown) => (
        <ol class="values">
          {shown.map((each, index) => (
            <li key={index}>
              <FieldValue value={each} schema={items} types={types} depth={depth + 1} />
            </li>
          ))}
        </ol>
      )}
    </Growing>
  );
}

interface FlatTableProps {
  rows: JsonObject[];
  columns: string[];
  schema: Schema | undefined;
  types: Types;
}

/** Objects of scalars, such as conditions. */
function FlatTable({ rows, columns, schema, types }: FlatTableProps): JSX.Element {
  return (
    <Growing entries={rows}>
      {(shown) => (
        <div class="table-box" role="group" aria-label="Table" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {columns.map((name) => (
                  <th key={name} scope="col">
                    <Text value={name} longest={100} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((row, index) => (
                <tr key={index}>
                  {columns.map((name) => (
                    <td key={name}>
                      <FieldValue
                        value={own(row, name)}
                        schema={schema?.properties?.[name]}
                        types={types}
                        depth={DEEPEST}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Growing>
  );
}
