import type { ComponentType, JSX } from 'preact';
import { elementOf } from '../../../../templates/runtime/model/fields/members';
import { list } from '../../../../templates/runtime/model/fields/values';
import { below } from '../../../../templates/runtime/model/fragment';
import type { Json } from '../../../../templates/runtime/model/schema';
import { Growing } from '../../parts/growing';
import { useForm } from './form-context';
import type { ControlProps } from './scalars';
import { emptyLike, firstValue } from './widget';

interface ListControlProps extends ControlProps {
  /** Shows an element. */
  control: ComponentType<ControlProps>;
}

/** A list: its elements with buttons to move and remove them, and one to add another. */
export function ListControl(props: ListControlProps): JSX.Element {
  const { value, shape, pointer, title = '', depth, control: Control, onChange } = props;
  const { isBusy, follow } = useForm();
  const elements = list(value);
  const element = elementOf(shape!);
  const change = (index: number, removed: number, ...added: Json[]): void =>
    onChange(elements.toSpliced(index, removed, ...added));
  return (
    <div class="list-control">
      <Growing entries={elements}>
        {(shown) => (
          <ol>
            {shown.map((each, index) => (
              <li key={index}>
                <span class="soft index">{index + 1}</span>
                <div class="form-control">
                  <Control
                    value={each}
                    shape={element}
                    pointer={below(pointer, index)}
                    title={`${title} ${index + 1}`}
                    isRequired
                    depth={depth + 1}
                    onChange={(next) => change(index, 1, next ?? emptyLike(element, each, depth))}
                  />
                </div>
                <ElementButtons
                  name={`${title} ${index + 1}`}
                  isFirst={index === 0}
                  isLast={index === elements.length - 1}
                  onMove={(by) => {
                    follow(pointer, (step) => String(swapped(Number(step), index, by)));
                    onChange(moved(elements, index, by));
                  }}
                  onRemove={() => {
                    follow(pointer, (step) => withoutElement(Number(step), index));
                    change(index, 1);
                  }}
                />
              </li>
            ))}
          </ol>
        )}
      </Growing>
      <button
        type="button"
        class="add"
        disabled={isBusy}
        onClick={() => change(elements.length, 0, firstValue(element))}
      >
        + Add <span class="hidden">to {title}</span>
      </button>
      {elements.length === 0 && value !== undefined && <span class="soft">empty list</span>}
    </div>
  );
}

/** Returns the place of an element after another one has been moved. */
function swapped(at: number, index: number, by: 1 | -1): number {
  if (at === index) return index + by;
  return at === index + by ? index : at;
}

/** Returns the place of an element after another one has been removed; undefined for that one. */
function withoutElement(at: number, index: number): string | undefined {
  return at === index ? undefined : String(at > index ? at - 1 : at);
}

function moved(elements: Json[], index: number, by: 1 | -1): Json[] {
  const copy = [...elements];
  [copy[index], copy[index + by]] = [copy[index + by], copy[index]];
  return copy;
}

interface ElementButtonsProps {
  name: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}

function ElementButtons({ name, isFirst, isLast, onMove, onRemove }: ElementButtonsProps): JSX.Element {
  const { isBusy } = useForm();
  const shared = { type: 'button', class: 'quiet' } as const;
  return (
    <span class="element-buttons">
      <button
        {...shared}
        aria-label={`Move ${name} up`}
        disabled={isBusy || isFirst}
        onClick={() => onMove(-1)}
      >
        ↑
      </button>
      <button
        {...shared}
        aria-label={`Move ${name} down`}
        disabled={isBusy || isLast}
        onClick={() => onMove(1)}
      >
        ↓
      </button>
      <button {...shared} aria-label={`Remove ${name}`} disabled={isBusy} onClick={onRemove}>
        ✕
      </button>
    </span>
  );
}
