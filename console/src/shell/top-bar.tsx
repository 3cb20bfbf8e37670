import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { readCredentials } from '../data/credentials';
import { linkTo } from '../data/route';
import { useConsole } from '../data/service-context';
import { isDark, switchLook } from './look';

interface TopBarProps {
  onMenu: () => void;
  onGoTo: () => void;
  onHelp: () => void;
}

/** The bar above every page. */
export function TopBar({ onMenu, onGoTo, onHelp }: TopBarProps): JSX.Element {
  const { service, openSignIn } = useConsole();
  const [dark, setDark] = useState(isDark);
  const isSignedIn = Object.keys(readCredentials()).length > 0;
  return (
    <header class="top">
      <button type="button" class="quiet menu-button" aria-label="Menu" onClick={onMenu}>
        ☰
      </button>
      <a class="brand" href={linkTo([])}>
        {service.name}
      </a>
      <div class="top-end">
        <button type="button" class="go-to" onClick={onGoTo}>
          <span>Go to…</span> <kbd>g</kbd>
        </button>
        {'docs' in service.links && (
          <a class="top-link" href={`.${service.links['docs']}`}>
            API docs
          </a>
        )}
        <button
          type="button"
          class="quiet"
          aria-label={dark ? 'Use light colours' : 'Use dark colours'}
          onClick={() => {
            switchLook();
            setDark(isDark());
          }}
        >
          {dark ? '☀' : '☾'}
        </button>
        <button type="button" class="quiet help-button" aria-label="Keyboard help" onClick={onHelp}>
          ?
        </button>
        {service.security.length > 0 && (
          <button type="button" class={isSignedIn ? '' : 'first'} onClick={openSignIn}>
            {isSignedIn ? 'Signed in' : 'Sign in'}
          </button>
        )}
      </div>
    </header>
  );
}
