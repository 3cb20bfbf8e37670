import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { goTo, linkTo } from '../../data/route';
import { useConsole } from '../../data/service-context';
import { useLoad } from '../../data/use-load';
import { Empty, Loading } from '../../parts/loading';
import { ProblemBox } from '../../parts/problem';
import { Text } from '../../parts/text';
import { useKeys } from '../../parts/use-keys';
import { Paging } from '../list/paging';
import { type DeadLetter, readLetters, resend, type Resent } from './dead-letter-data';
import { EventDialog } from './event-dialog';
import { LetterTable } from './letter-table';

/** The events that were given up, page by page, to be looked at and delivered again. */
export function DeadLetters({ after }: { after: string | undefined }): JSX.Element {
  const { session } = useConsole();
  const { value: page, error, reload } = useLoad((signal) => readLetters(after, signal), [after, session]);
  const [opened, setOpened] = useState<DeadLetter>();
  const show = (after: string | undefined): void =>
    goTo(linkTo(['-', 'events'], { tab: 'dead-letters', after }));
  const first = after === undefined ? undefined : () => show(undefined);
  const next = page?.next === undefined ? undefined : () => show(page.next);
  useKeys({ r: reload, n: () => next?.(), p: () => first?.() });
  if (error !== undefined) return <ProblemBox error={error} retry={reload} />;
  if (page === undefined) return <Loading />;
  if (page.letters.length === 0)
    return (
      <Empty title={after === undefined ? 'There are no dead letters' : 'There are no more dead letters'}>
        An event that could not be delivered in many attempts would be listed here.
      </Empty>
    );
  return (
    <>
      <Resending letters={page.letters} reload={reload} onOpen={setOpened} />
      <Paging noun="dead letter" count={page.letters.length} first={first} next={next} />
      {opened && <EventDialog event={opened.event} onClose={() => setOpened(undefined)} />}
    </>
  );
}

interface ResendingProps {
  letters: DeadLetter[];
  reload: () => void;
  onOpen: (letter: DeadLetter) => void;
}

/** The letters of a page, and the button that delivers those that are selected. */
function Resending({ letters, reload, onOpen }: ResendingProps): JSX.Element {
  const { notify } = useConsole();
  const [selected, select] = useState<ReadonlySet<number>>(new Set());
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [result, setResult] = useState<Resent>();
  useEffect(() => select(new Set(letters.map(({ id }) => id).filter((id) => selected.has(id)))), [letters]);
  const send = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const result = await resend([...selected]);
      setResult(result);
      notify(`${result.sent.length} of ${selected.size} delivered`);
      reload();
    } catch (error) {
      setError(error);
    }
    setBusy(false);
  };
  return (
    <>
      <div class="head">
        <p class="soft">These events were given up for one consumer. Deliver them again when it works.</p>
        <button
          type="button"
          class="first"
          disabled={selected.size === 0 || isBusy}
          onClick={() => void send()}
        >
          {isBusy ? 'Delivering…' : `Deliver ${selected.size === 0 ? 'selected' : selected.size} again`}
        </button>
      </div>
      {error !== undefined && <ProblemBox error={error} />}
      {result && <Failures result={result} />}
      <LetterTable {...{ letters, selected, select, onOpen }} />
    </>
  );
}

function Failures({ result: { failed } }: { result: Resent }): JSX.Element | null {
  const [first] = failed;
  if (first === undefined) return null;
  return (
    <div class="problem" role="alert">
      <strong>{failed.length === 1 ? 'One event was' : `${failed.length} events were`} not accepted</strong>
      <p>
        <Text value={first.consumer} longest={200} />: <Text value={first.error} longest={500} />
      </p>
    </div>
  );
}
