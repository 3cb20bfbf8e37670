import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { ConsoleField } from '../../../../templates/runtime/console/content';
import { suggestionsFor } from '../../data/completion';
import type { RouteQuery } from '../../data/route';
import { SuggestField } from '../../parts/suggest-field';
import { useKeys } from '../../parts/use-keys';
import type { ListQuery, Row } from './list-data';
import { useVocabulary } from './vocabulary';

interface SelectorsProps {
  query: ListQuery;
  rows: Row[];
  /** Empty for a kind that cannot be selected by fields. */
  fields: ConsoleField[];
  show: (changes: RouteQuery) => void;
}

/** The fields for a label selector and a field selector. */
export function Selectors({ query, rows, fields, show }: SelectorsProps): JSX.Element {
  const vocabulary = useVocabulary(fields, rows);
  const labelField = useRef<HTMLInputElement>(null);
  const fieldField = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => labelField.current?.focus() });
  const example = fields.find(({ path }) => path.startsWith('spec.'))?.path ?? 'metadata.name';
  return (
    <search class="selectors">
      <SuggestField
        label="Label selector"
        placeholder="Labels, such as env=prod,tier!=db"
        value={query.labelSelector ?? ''}
        field={labelField}
        suggest={(text, caret) => suggestionsFor(text, caret, vocabulary.labels)}
        onApply={(labelSelector) => show({ labelSelector, continue: undefined })}
      />
      {fields.length > 0 && (
        <SuggestField
          label="Field selector"
          placeholder={`Fields, such as ${example}=…`}
          value={query.fieldSelector ?? ''}
          field={fieldField}
          suggest={(text, caret) => suggestionsFor(text, caret, vocabulary.fields)}
          onApply={(fieldSelector) => show({ fieldSelector, continue: undefined })}
        />
      )}
    </search>
  );
}
