import type { JSX } from 'preact';
import { useLoad } from '../../data/use-load';
import { type Notation, textOf } from '../../data/yaml';
import { CopyButton } from '../../parts/copy-button';
import { Loading } from '../../parts/loading';
import { Text } from '../../parts/text';

/** Maximum length of a text that is shown, in characters; a copy has everything. */
const LONGEST = 300_000;

interface RawProps {
  value: object;
  /** Differs for different values. */
  state: string;
  notation: Notation;
  /** For screen readers. */
  title?: string;
}

/** A resource as text. */
export function Raw({ value, state, notation, title }: RawProps): JSX.Element {
  const { value: text } = useLoad(() => textOf(value, notation), [notation, state]);
  if (text === undefined) return <Loading />;
  return (
    <div class="raw">
      <CopyButton text={text} class="copy" />
      <pre tabIndex={0} aria-label={title ?? `Resource as ${notation.toUpperCase()}`}>
        <Text value={text} longest={LONGEST} />
      </pre>
    </div>
  );
}
