import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../../../../templates/client/errors';
import { Dialog } from '../../parts/dialog';
import { inWords } from '../../parts/problem';
import { Referrers } from '../../parts/referrers';
import { Text } from '../../parts/text';
import { forEach, type Outcome } from './bulk';
import type { Row } from './list-data';

/** Maximum number of names that are listed. */
const MOST = 10;

interface BulkDialogProps {
  title: string;
  verb: string;
  isDangerous?: boolean;
  rows: Row[];
  /** A reason why the action would fail for some of them. */
  warning: string | undefined;
  run: (row: Row) => Promise<void>;
  /** `changed` is true if the action was run. */
  onClose: (changed: boolean) => void;
}

/** Names the resources of an action, runs it when it is confirmed, and reports the failures. */
export function BulkDialog(props: BulkDialogProps): JSX.Element {
  const { title, verb, isDangerous, rows, warning, run, onClose } = props;
  // Changes of the list in the meantime do not change what is confirmed.
  const [chosen] = useState(rows);
  const [done, setDone] = useState<number>();
  const [failed, setFailed] = useState<Outcome[]>();
  const start = async (): Promise<void> => {
    setDone(0);
    const outcomes = await forEach(chosen, run, setDone);
    const failures = outcomes.filter(({ error }) => error !== undefined);
    if (failures.length === 0) onClose(true);
    else setFailed(failures);
  };
  if (failed !== undefined) return <Failures {...{ failed, total: chosen.length, verb, onClose }} />;
  return (
    <Dialog title={title} isBusy={done !== undefined} onClose={() => onClose(false)}>
      <ul class="names">
        {chosen.slice(0, MOST).map(({ resource: { metadata } }) => (
          <li key={metadata.uid}>
            <Text value={metadata.name} longest={200} /> <code class="soft">{metadata.uid}</code>
          </li>
        ))}
      </ul>
      {chosen.length > MOST && <p class="soft">and {chosen.length - MOST} more</p>}
      {warning !== undefined && (
        <p class="banner">
          <Text value={warning} />
        </p>
      )}
      <div class="dialog-end">
        <button type="button" disabled={done !== undefined} onClick={() => onClose(false)}>
          Cancel
        </button>
        <button
          type="button"
          class={isDangerous ? 'danger' : 'first'}
          disabled={done !== undefined}
          onClick={() => void start()}
        >
          {done === undefined ? verb : `${done} of ${chosen.length}`}
        </button>
      </div>
    </Dialog>
  );
}

interface FailuresProps extends Pick<BulkDialogProps, 'verb' | 'onClose'> {
  failed: Outcome[];
  total: number;
}

function Failures({ failed, total, verb, onClose }: FailuresProps): JSX.Element {
  return (
    <Dialog title={`${verb}: ${failed.length} of ${total} failed`} onClose={() => onClose(true)}>
      <ul class="names">
        {failed.slice(0, MOST).map(({ row, error }) => {
          const { title, detail } = inWords(error);
          return (
            <li key={row.resource.metadata.uid}>
              <Text value={row.resource.metadata.name} longest={200} />: {title}. <Text value={detail} />
              <Referrers referrers={error instanceof ApiError ? (error.problem.referrers ?? []) : []} />
            </li>
          );
        })}
      </ul>
      <div class="dialog-end">
        <button type="button" class="first" onClick={() => onClose(true)}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
