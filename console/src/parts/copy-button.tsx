import type { ComponentChildren, JSX } from 'preact';
import { useConsole } from '../data/service-context';

interface CopyButtonProps {
  text: string;
  /** What is said once the text is in the clipboard. */
  done?: string;
  class?: string;
  'aria-label'?: string;
  children?: ComponentChildren;
}

/** A button that copies a text. There is none where the browser lets no page copy: on `http://` of another host. */
export function CopyButton({
  text,
  done = 'Copied',
  children = 'Copy',
  ...rest
}: CopyButtonProps): JSX.Element | null {
  const { notify } = useConsole();
  if (!('clipboard' in navigator)) return null;
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => notify(done),
      () => notify('The browser does not allow this page to copy.'),
    );
  return (
    <button type="button" {...rest} onClick={copy}>
      {children}
    </button>
  );
}
