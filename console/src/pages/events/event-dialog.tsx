import type { JSX } from 'preact';
import type { ResourceEvent } from '../../data/use-events';
import { CopyButton } from '../../parts/copy-button';
import { Dialog } from '../../parts/dialog';
import { Raw } from '../resource/raw';
import { ResourceLink } from './event-table';

interface EventDialogProps {
  event: ResourceEvent;
  /** The URL that leads to it, if there is one. */
  link?: string;
  onClose: () => void;
}

/** An event as it is stored: a CloudEvent. */
export function EventDialog({ event, link, onClose }: EventDialogProps): JSX.Element {
  return (
    <Dialog title={event.type} isWide onClose={onClose}>
      <p class="event-head">
        <ResourceLink event={event} /> <code class="soft">{event.id}</code>
      </p>
      <Raw value={event} state={event.id} notation="json" title="Event as JSON" />
      <div class="dialog-end">
        {link !== undefined && (
          <CopyButton text={link} done="Link copied">
            Copy link
          </CopyButton>
        )}
        <button type="button" class="first" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
