import type { JSX } from 'preact';
import type { Json } from '../../../templates/runtime/model/schema';
import { type Difference, pathText } from '../data/diff';
import { FieldValue } from './field-value';
import { Growing } from './growing';
import { Text } from './text';

interface DiffTableProps {
  differences: Difference[];
  /** The heads of the two columns. */
  before: string;
  after: string;
}

/** Two documents next to each other: the values that differ. */
export function DiffTable({ differences, before, after }: DiffTableProps): JSX.Element {
  return (
    <Growing entries={differences}>
      {(shown) => (
        <div class="table-box" role="group" aria-label="Differences" tabIndex={0}>
          <table class="diff">
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">{before}</th>
                <th scope="col">{after}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ path, before, after }) => (
                <tr key={JSON.stringify(path)}>
                  <th scope="row">
                    <code>
                      <Text value={pathText(path)} longest={300} />
                    </code>
                  </th>
                  <DiffCell value={before} mark="gone" />
                  <DiffCell value={after} mark="come" />
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Growing>
  );
}

function DiffCell({ value, mark }: { value: Json | undefined; mark: 'gone' | 'come' }): JSX.Element {
  if (value === undefined)
    return (
      <td>
        <span class="soft">absent</span>
      </td>
    );
  return (
    <td class={mark}>
      <FieldValue value={value} schema={undefined} types={{}} depth={0} />
    </td>
  );
}
