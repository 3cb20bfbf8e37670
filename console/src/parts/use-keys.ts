import { useLayoutEffect, useRef } from 'preact/hooks';

/** Actions by key. */
export interface Keys {
  [key: string]: () => void;
}

/**
 * Calls an action when its key is pressed outside of fields and dialogs, without Ctrl, Alt or Meta: those belong to the
 * browser.
 */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (!Object.hasOwn(current.current, event.key) || isBusy(event.target)) return;
      event.preventDefault();
      current.current[event.key]();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}
