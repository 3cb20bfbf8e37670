import type { JSX } from 'preact';
import { useConsole } from '../data/service-context';
import { Dialog } from '../parts/dialog';
import { PageLinks } from './page-links';

interface MenuProps {
  segments: string[];
  onClose: () => void;
  onHelp: () => void;
}

/** The pages and kinds of a narrow screen, which has no room for a sidebar, and what its top bar leaves out. */
export function Menu({ segments, onClose, onHelp }: MenuProps): JSX.Element {
  const { service } = useConsole();
  return (
    <Dialog title="Menu" onClose={onClose}>
      {/* A link leads to another page of the same document. */}
      <nav
        class="menu"
        aria-label="Pages and kinds"
        onClick={({ target }) => (target as Element).closest('a') && onClose()}
      >
        <PageLinks segments={segments} />
      </nav>
      <div class="dialog-end">
        {'docs' in service.links && (
          <a class="button" href={`.${service.links['docs']}`}>
            API docs
          </a>
        )}
        <button type="button" onClick={onHelp}>
          Keyboard help
        </button>
      </div>
    </Dialog>
  );
}
