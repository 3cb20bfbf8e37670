import type { JSX } from 'preact';
import { connection } from '../../data/api';
import { usePoll } from '../../data/use-poll';
import { inWords } from '../../parts/problem';
import { Text } from '../../parts/text';

/** Pause between two looks, in milliseconds. */
const PAUSE_MS = 5_000;

/** A probe of the service, as it responds now. */
export function Probe({ title, path }: { title: string; path: string }): JSX.Element {
  const { value, error } = usePoll(
    async (signal) => (await connection.send<{ status: string }>({ method: 'GET', path }, { signal })).value,
    PAUSE_MS,
  );
  const state = error === undefined ? (value === undefined ? 'connecting' : 'live') : 'broken';
  const words = error === undefined ? undefined : inWords(error);
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <p role="status">
        <span class={`stream ${state}`} aria-busy={state === 'connecting'}>
          {words?.title ?? value?.status ?? 'asking'}
        </span>
      </p>
      {words && (
        <p class="soft">
          <Text value={words.detail} />
        </p>
      )}
    </section>
  );
}
