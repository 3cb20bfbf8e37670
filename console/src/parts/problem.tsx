import type { JSX } from 'preact';
import { ApiError, ConnectionError, TimeoutError } from '../../../templates/client/errors';
import { textOf } from '../../../templates/runtime/model/thrown';
import { useConsole } from '../data/service-context';
import { CopyButton } from './copy-button';
import { Referrers } from './referrers';
import { Text } from './text';

/** Maximum number of failed fields that are listed. */
const MOST = 20;

/** A failed request in words, with the id to find it by in the logs. */
export function ProblemBox({ error, retry }: { error: unknown; retry?: () => void }): JSX.Element {
  const { openSignIn } = useConsole();
  const { title, detail } = inWords(error);
  const problem = error instanceof ApiError ? error : undefined;
  const requestId = problem?.headers.get('X-Request-Id');
  const errors = problem?.problem.errors ?? [];
  return (
    <div class="problem" role="alert">
      <strong>{title}</strong>
      {detail !== '' && (
        <p>
          <Text value={detail} />
        </p>
      )}
      {errors.length > 0 && (
        <ul>
          {errors.slice(0, MOST).map(({ pointer, detail }) => (
            <li>
              <code>
                <Text value={pointer} />
              </code>{' '}
              <Text value={detail} />
            </li>
          ))}
        </ul>
      )}
      <Referrers referrers={problem?.problem.referrers ?? []} />
      <p class="problem-end">
        {problem?.status === 401 && (
          <button type="button" class="first" onClick={openSignIn}>
            Sign in
          </button>
        )}
        {retry && (
          <button type="button" onClick={retry}>
            Try again
          </button>
        )}
        {requestId && (
          <span class="soft">
            Request <code>{requestId}</code>{' '}
            <CopyButton text={requestId} class="more" aria-label="Copy the id of the request" />
          </span>
        )}
      </p>
    </div>
  );
}

/** Returns a failure for people. */
export function inWords(error: unknown): { title: string; detail: string } {
  if (error instanceof ApiError) {
    const { status, problem } = error;
    return { title: `${TITLES[status] ?? problem.title} (${status})`, detail: problem.detail ?? '' };
  }
  if (error instanceof TimeoutError)
    return { title: 'The service does not respond', detail: 'It is not known whether a change was made.' };
  if (error instanceof ConnectionError)
    return { title: 'The service cannot be reached', detail: 'Check the connection, then try again.' };
  return { title: 'This did not work', detail: textOf(error) };
}

const TITLES: { [status: number]: string } = {
  400: 'The service refused the content',
  401: 'Sign in to see this',
  403: 'You are not allowed to do this',
  404: 'There is nothing here',
  409: 'This conflicts with other resources',
  412: 'Somebody else has changed this',
  413: 'This is too large',
  503: 'The service is not available',
};
