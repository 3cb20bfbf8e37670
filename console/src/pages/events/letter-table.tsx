import type { JSX } from 'preact';
import { Age } from '../../parts/age';
import { Text } from '../../parts/text';
import type { DeadLetter } from './dead-letter-data';
import { ResourceLink } from './event-table';

interface LetterTableProps {
  letters: DeadLetter[];
  /** Ids. */
  selected: ReadonlySet<number>;
  select: (selected: ReadonlySet<number>) => void;
  onOpen: (letter: DeadLetter) => void;
}

/** Dead letters as a table. */
export function LetterTable({ letters, selected, select, onOpen }: LetterTableProps): JSX.Element {
  const isAll = letters.every(({ id }) => selected.has(id));
  const toggle = (id: number): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    select(next);
  };
  return (
    <div class="table-box">
      <table class="list">
        <thead>
          <tr>
            <th scope="col" class="box">
              <input
                type="checkbox"
                aria-label="Select all of this page"
                checked={isAll}
                onChange={() => select(new Set(isAll ? [] : letters.map(({ id }) => id)))}
              />
            </th>
            <th scope="col">Resource</th>
            <th scope="col">Type</th>
            <th scope="col">Consumer</th>
            <th scope="col" class="number">
              Attempts
            </th>
            <th scope="col">Error</th>
            <th scope="col" class="age">
              Given up
            </th>
            <th scope="col">
              <span class="hidden">Event</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {letters.map((letter) => (
            <LetterRow
              key={letter.id}
              letter={letter}
              isSelected={selected.has(letter.id)}
              onToggle={() => toggle(letter.id)}
              onOpen={() => onOpen(letter)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface LetterRowProps {
  letter: DeadLetter;
  isSelected: boolean;
  onToggle: () => void;
  onOpen: () => void;
}

function LetterRow({ letter, isSelected, onToggle, onOpen }: LetterRowProps): JSX.Element {
  const { id, event, consumer, attempts, error, failedAt } = letter;
  return (
    <tr aria-selected={isSelected}>
      <td class="box">
        <input type="checkbox" aria-label={`Select letter ${id}`} checked={isSelected} onChange={onToggle} />
      </td>
      <th scope="row" class="name">
        <ResourceLink event={event} />
      </th>
      <td>
        <code>{event.type}</code>
      </td>
      <td title={consumer}>
        <Text value={consumer} longest={100} />
      </td>
      <td class="number">{attempts}</td>
      <td title={error}>
        <Text value={error} longest={120} />
      </td>
      <td class="age">
        <Age time={failedAt} />
      </td>
      <td class="end">
        <button type="button" class="more" aria-label={`Open letter ${id}`} onClick={onOpen}>
          Open
        </button>
      </td>
    </tr>
  );
}
