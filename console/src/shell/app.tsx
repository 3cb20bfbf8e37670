import type { JSX } from 'preact';
import { useCallback, useMemo, useState } from 'preact/hooks';
import { describe } from '../data/api';
import { useRoute } from '../data/route';
import { type ConsoleState, ServiceContext } from '../data/service-context';
import { useLoad } from '../data/use-load';
import { Pages } from '../pages/pages';
import { Loading } from '../parts/loading';
import { type Toast, Toasts } from '../parts/toasts';
import { useKeys } from '../parts/use-keys';
import { GoTo } from './go-to';
import { Help } from './help';
import { Menu } from './menu';
import { Sidebar } from './sidebar';
import { SignIn } from './sign-in';
import { TopBar } from './top-bar';

type Shown = 'menu' | 'sign-in' | 'go-to' | 'help' | undefined;

/** Time for which a message is shown, in milliseconds. */
const TOAST_MS = 6_000;

/** The console: its frame, its dialogs, and the page of the URL. */
export function App(): JSX.Element {
  const { value: service, error, reload } = useLoad(describe, []);
  const [shown, show] = useState<Shown>();
  const [session, setSession] = useState(0);
  const [toasts, setToasts] = useState<Toast[]>([]);
  const route = useRoute();
  const notify = useCallback((text: string) => {
    const toast = { id: Math.random(), text };
    setToasts((all) => [...all, toast]);
    setTimeout(() => setToasts((all) => all.filter((each) => each !== toast)), TOAST_MS);
  }, []);
  const state = useMemo<ConsoleState | undefined>(
    () => service && { service, session, openSignIn: () => show('sign-in'), notify },
    [service, session, notify],
  );
  useKeys({ g: () => show('go-to'), '?': () => show('help') });
  if (state === undefined) return error === undefined ? <Loading /> : <Unreachable retry={reload} />;
  const close = (): void => show(undefined);
  return (
    <ServiceContext.Provider value={state}>
      <a class="skip" href="#content" onClick={skip}>
        Skip to the content
      </a>
      <TopBar onMenu={() => show('menu')} onGoTo={() => show('go-to')} onHelp={() => show('help')} />
      <Sidebar segments={route.segments} />
      <main id="content" tabIndex={-1}>
        <Pages route={route} />
      </main>
      <Toasts toasts={toasts} />
      {shown === 'menu' && <Menu segments={route.segments} onClose={close} onHelp={() => show('help')} />}
      {shown === 'go-to' && <GoTo onClose={close} />}
      {shown === 'help' && <Help onClose={close} />}
      {shown === 'sign-in' && (
        <SignIn
          security={state.service.security}
          onClose={close}
          onChange={() => setSession((count) => count + 1)}
        />
      )}
    </ServiceContext.Provider>
  );
}

/** The fragment of the URL is the page, so the focus is moved without it. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

function Unreachable({ retry }: { retry: () => void }): JSX.Element {
  return (
    <main id="content">
      <div class="problem" role="alert">
        <h1>The service cannot be reached</h1>
        <p class="problem-end">
          <button type="button" onClick={retry}>
            Try again
          </button>
        </p>
      </div>
    </main>
  );
}
