import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** True while the dialog cannot be closed. */
  isBusy?: boolean;
  isWide?: boolean;
  children: ComponentChildren;
}

/** A modal dialog: Escape closes it, and the focus returns to where it was. */
export function Dialog({
  title,
  onClose,
  isBusy = false,
  isWide = false,
  children,
}: DialogProps): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  const isShown = useRef(true);
  const id = useId();
  // Before the next paint: the keys that follow the one that opens a dialog belong to it.
  useLayoutEffect(() => {
    const before = document.activeElement;
    ref.current?.showModal();
    return () => {
      isShown.current = false;
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={isWide ? 'wide' : undefined}
      aria-labelledby={id}
      // This event comes later: a key may have opened another dialog in its place.
      onClose={() => {
        // Chromium closes a dialog at the second Escape, whatever the page says.
        if (!isShown.current) return;
        if (isBusy) ref.current?.showModal();
        else onClose();
      }}
      onCancel={(event) => isBusy && event.preventDefault()}
    >
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet" aria-label="Close" disabled={isBusy} onClick={onClose}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}
