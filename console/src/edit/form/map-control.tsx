import type { ComponentType, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { object } from '../../../../templates/runtime/model/fields/members';
import { resolved, type Shape } from '../../../../templates/runtime/model/fields/shape';
import { set } from '../../../../templates/runtime/model/fields/values';
import { below, escapedStep } from '../../../../templates/runtime/model/fragment';
import type { Json, JsonObject } from '../../../../templates/runtime/model/schema';
import { Growing } from '../../parts/growing';
import { isSaveKey } from '../../parts/use-keys';
import { idOf, useForm } from './form-context';
import type { ControlProps } from './scalars';
import { emptyLike, firstValue, isGroup } from './widget';

interface MapControlProps extends ControlProps {
  /** Shows a value. */
  control: ComponentType<ControlProps>;
}

/** A map: a line for each key, with its value, and one to add another. */
export function MapControl(props: MapControlProps): JSX.Element {
  const { value, shape, pointer, title = '', depth, control: Control, onChange } = props;
  const { follow } = useForm();
  const entries = Object.entries(object(value));
  const { additionalProperties } = resolved(shape!);
  const each: Shape = { types: shape!.types, schema: additionalProperties || {} };
  const keys = new Set(entries.map(([key]) => key));
  const change = (index: number, removed: number, ...added: [string, Json][]): void =>
    onChange(objectOf(entries.toSpliced(index, removed, ...added)));
  return (
    <div class="map-control">
      <Growing entries={entries}>
        {(shown) =>
          shown.map(([key, member], index) => (
            <div key={index} class={`map-entry${isGroup(each, member, depth + 1) ? ' stacked' : ''}`}>
              <KeyInput
                value={key}
                title={`Key of ${title}`}
                keys={keys}
                onChange={(next) => {
                  follow(pointer, (step) => (step === escapedStep(key) ? escapedStep(next) : step));
                  change(index, 1, [next, member]);
                }}
              />
              <div class="form-control">
                <Control
                  value={member}
                  shape={each}
                  pointer={below(pointer, key)}
                  title={`${title} ${key}`}
                  isRequired
                  depth={depth + 1}
                  onChange={(next) => change(index, 1, [key, next ?? emptyLike(each, member, depth)])}
                />
              </div>
              <RemoveButton
                name={`${title} ${key}`}
                onRemove={() => {
                  follow(pointer, (step) => (step === escapedStep(key) ? undefined : step));
                  change(index, 1);
                }}
              />
            </div>
          ))
        }
      </Growing>
      <NewKey
        {...{ pointer, title, keys }}
        onAdd={(key) => change(entries.length, 0, [key, firstValue(each)])}
      />
    </div>
  );
}

function objectOf(entries: [string, Json][]): JsonObject {
  const made: JsonObject = {};
  for (const [key, value] of entries) set(made, key, value);
  return made;
}

function RemoveButton({ name, onRemove }: { name: string; onRemove: () => void }): JSX.Element {
  const { isBusy } = useForm();
  return (
    <button type="button" class="quiet" aria-label={`Remove ${name}`} disabled={isBusy} onClick={onRemove}>
      ✕
    </button>
  );
}

interface KeyInputProps {
  value: string;
  title: string;
  keys: Set<string>;
  onChange: (key: string) => void;
}

/** A key. It is renamed when its field is left or saved, so that keys on the way there do not collide. */
function KeyInput({ value, title, keys, onChange }: KeyInputProps): JSX.Element {
  const { isBusy } = useForm();
  const [typed, setTyped] = useState<string>();
  const isTaken = typed !== undefined && typed !== value && keys.has(typed);
  const end = (): void => {
    if (typed !== undefined && typed !== value && !isTaken) onChange(typed);
    setTyped(undefined);
  };
  return (
    <div class="key">
      <input
        type="text"
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        aria-label={title}
        aria-invalid={isTaken || undefined}
        disabled={isBusy}
        value={typed ?? value}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={end}
        onKeyDown={(event) => (event.key === 'Enter' || isSaveKey(event)) && end()}
      />
      {isTaken && <p class="failure">This key exists already</p>}
    </div>
  );
}

interface NewKeyProps {
  pointer: string;
  title: string;
  keys: Set<string>;
  onAdd: (key: string) => void;
}

function NewKey({ pointer, title, keys, onAdd }: NewKeyProps): JSX.Element {
  const { isBusy } = useForm();
  const [key, setKey] = useState('');
  const isTaken = key !== '' && keys.has(key);
  const add = (): void => {
    if (key === '' || isTaken) return;
    onAdd(key);
    setKey('');
  };
  return (
    <>
      <div class="with-button">
        <input
          type="text"
          dir="auto"
          id={idOf(`${pointer}+`)}
          autocomplete="off"
          spellcheck={false}
          placeholder="new key"
          aria-label={`New key of ${title}`}
          disabled={isBusy}
          value={key}
          onInput={({ currentTarget }) => setKey(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' && !isSaveKey(event)) return;
            event.preventDefault();
            add();
          }}
        />
        <button type="button" class="add" disabled={isBusy || key === '' || isTaken} onClick={add}>
          + Add <span class="hidden">to {title}</span>
        </button>
      </div>
      {isTaken && <p class="failure">This key exists already</p>}
    </>
  );
}
