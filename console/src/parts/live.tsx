import type { JSX } from 'preact';
import type { StreamState } from '../data/use-events';

const TEXTS: { [state in StreamState]: string } = {
  off: '',
  connecting: 'Connecting',
  live: 'Live',
  broken: 'Not live: the events cannot be read',
};

/** Reports whether a page follows the changes. */
export function Live({ state }: { state: StreamState }): JSX.Element | null {
  return state === 'off' ? null : <span class={`stream ${state}`}>{TEXTS[state]}</span>;
}
