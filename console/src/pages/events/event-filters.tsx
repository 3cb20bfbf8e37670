import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { useConsole } from '../../data/service-context';
import { useKeys } from '../../parts/use-keys';
import { ACTIONS, type EventQuery } from './event-query';

interface EventFiltersProps {
  query: EventQuery;
  show: (changes: EventQuery) => void;
}

/** The fields that select events. */
export function EventFilters({ query, show }: EventFiltersProps): JSX.Element {
  const { kinds } = useConsole().service;
  const field = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => field.current?.focus() });
  return (
    <search class="filters">
      <input
        ref={field}
        type="search"
        aria-label="Name, uid or actor"
        placeholder="Name, uid or actor"
        autocomplete="off"
        value={query.text ?? ''}
        onInput={({ currentTarget: { value } }) => show({ text: value || undefined })}
      />
      <input
        type="search"
        aria-label="Label selector"
        placeholder="Labels, such as env=prod"
        autocomplete="off"
        spellcheck={false}
        value={query.labelSelector ?? ''}
        onChange={({ currentTarget: { value } }) => show({ labelSelector: value || undefined })}
      />
      <Choice
        label="Kind"
        value={query.kind}
        all="All kinds"
        choices={kinds.map(({ group, kind, plural }) => [`${group}/${kind}`, plural])}
        onChoose={(kind) => show({ kind })}
      />
      <Choice
        label="Action"
        value={query.action}
        all="All actions"
        choices={ACTIONS.map((action) => [action, action])}
        onChoose={(action) => show({ action: ACTIONS.find((each) => each === action) })}
      />
      <Choice
        label="Begin"
        value={query.after}
        all="From now on"
        choices={[
          ['0', 'All that are retained'],
          ...(query.after && query.after !== '0' ? [[query.after, 'From the linked event'] as const] : []),
        ]}
        onChoose={(after) => show({ after, event: undefined })}
      />
    </search>
  );
}

interface ChoiceProps {
  label: string;
  /** Undefined for all. */
  value: string | undefined;
  all: string;
  choices: (readonly [value: string, title: string])[];
  onChoose: (value: string | undefined) => void;
}

function Choice({ label, value = '', all, choices, onChoose }: ChoiceProps): JSX.Element {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value || undefined)}
    >
      <option value="">{all}</option>
      {choices.map(([each, title]) => (
        <option key={each} value={each}>
          {title}
        </option>
      ))}
    </select>
  );
}
