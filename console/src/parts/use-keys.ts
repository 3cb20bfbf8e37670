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

/** Returns whether a key press asks to save: Ctrl+S or ⌘S. */
export const isSaveKey = ({ ctrlKey, metaKey, key }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && key === 's';

/** Calls `save` on Ctrl+S and ⌘S, in fields too, but not under a dialog. The browser does not save the page then. */
export function useSaveKey(save?: () => void): void {
  const current = useRef(save);
  current.current = save;
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!isSaveKey(event)) return;
      event.preventDefault();
      if (document.querySelector('dialog[open]') !== null) return;
      // The field of the key may have changed the draft just now: `save` is the new one once that is rendered.
      setTimeout(() => current.current?.());
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
