import type { JSX, RefObject } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { Suggestion } from '../data/completion';
import { Text } from './text';

interface SuggestFieldProps {
  label: string;
  placeholder: string;
  /** The applied text. */
  value: string;
  field: RefObject<HTMLInputElement | null>;
  suggest: (text: string, caret: number) => Suggestion[];
  /** Called when the user presses Enter, or empties the field. */
  onApply: (text: string) => void;
}

/** What is typed, and the suggestions for it. */
function useSuggestions({ value, field, suggest, onApply }: SuggestFieldProps) {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState<Suggestion[]>([]);
  const [chosen, setChosen] = useState<number>();
  useEffect(() => setText(value), [value]);
  const offer = (suggestions: Suggestion[]): void => {
    setShown(suggestions);
    setChosen(undefined);
  };
  const close = (): void => offer([]);
  const type = (text: string, caret: number): void => {
    setText(text);
    offer(suggest(text, caret));
  };
  const take = ({ text, caret }: Suggestion): void => {
    type(text, caret);
    requestAnimationFrame(() => field.current?.setSelectionRange(caret, caret));
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape' && shown.length > 0) close();
    else if (event.key === 'Enter') {
      if (chosen !== undefined) take(shown[chosen]);
      else {
        close();
        onApply(text.trim());
      }
    } else if (step !== undefined && shown.length > 0)
      setChosen(((chosen ?? (step > 0 ? -1 : 0)) + step + shown.length) % shown.length);
    else return;
    event.preventDefault();
  };
  return { text, shown, chosen, type, take, close, onKey };
}

/** A search field with suggestions below it. */
export function SuggestField(props: SuggestFieldProps): JSX.Element {
  const { label, value, field, onApply } = props;
  const id = useId();
  const { text, shown, chosen, type, take, close, onKey } = useSuggestions(props);
  const isOpen = shown.length > 0;
  return (
    <div class="suggest">
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen}`}
        placeholder={props.placeholder}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onFocus={({ currentTarget }) => type(text, currentTarget.selectionStart ?? text.length)}
        onBlur={close}
        onKeyDown={onKey}
        onInput={({ currentTarget }) => {
          type(currentTarget.value, currentTarget.selectionStart ?? currentTarget.value.length);
          if (currentTarget.value === '' && value !== '') onApply('');
        }}
      />
      {isOpen && <Suggestions {...{ id, label, shown, chosen, take }} />}
    </div>
  );
}

interface SuggestionsProps {
  id: string;
  label: string;
  shown: Suggestion[];
  chosen: number | undefined;
  take: (suggestion: Suggestion) => void;
}

function Suggestions({ id, label, shown, chosen, take }: SuggestionsProps): JSX.Element {
  return (
    <ul
      id={id}
      class="targets suggestions"
      role="listbox"
      aria-label={`Suggestions: ${label}`}
      // A list that scrolls would be a stop of the tabulator.
      tabIndex={-1}
    >
      {shown.map((suggestion, index) => (
        <li
          key={suggestion.word}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(suggestion)}
        >
          <Text value={suggestion.word} longest={100} /> <span class="soft">{suggestion.note}</span>
        </li>
      ))}
    </ul>
  );
}
