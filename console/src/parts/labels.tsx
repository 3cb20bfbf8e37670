import type { JSX } from 'preact';
import { Text } from './text';

/** Labels or annotations as chips; those beyond `most` are counted. */
export function Labels({ labels, most }: { labels: { [key: string]: string }; most?: number }): JSX.Element {
  const all = Object.entries(labels);
  const shown = all.slice(0, most);
  if (all.length === 0) return <span class="soft">–</span>;
  return (
    <span class="chips">
      {shown.map(([key, value]) => (
        <span key={key} class="chip plain">
          <Text value={value === '' ? key : `${key}=${value}`} longest={100} />
        </span>
      ))}
      {all.length > shown.length && <span class="soft">+{all.length - shown.length}</span>}
    </span>
  );
}
