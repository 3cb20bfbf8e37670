import type { JSX } from 'preact';
import { Dialog } from '../parts/dialog';

const KEYS: [key: string, meaning: string][] = [
  ['/', 'Search or filter this page'],
  ['g', 'Go to a kind or a resource'],
  ['n', 'Next page of a list'],
  ['p', 'First page of a list'],
  ['e', 'Edit the resource'],
  ['Ctrl+S', 'Save'],
  ['r', 'Read this page again'],
  ['?', 'Show this help'],
  ['Esc', 'Close a dialog'],
];

/** The keys of the console. */
export function Help({ onClose }: { onClose: () => void }): JSX.Element {
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl class="keys">
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
