import type { JSX } from 'preact';
import { Text } from './text';

/** A short message. */
export interface Toast {
  id: number;
  text: string;
}

/** Short messages, which are read out too. */
export function Toasts({ toasts }: { toasts: Toast[] }): JSX.Element {
  return (
    <div class="toasts" role="status">
      {toasts.map(({ id, text }) => (
        <p key={id}>
          <Text value={text} longest={300} />
        </p>
      ))}
    </div>
  );
}
