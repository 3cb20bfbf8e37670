import type { ComponentChildren, JSX } from 'preact';
import { ActionButton } from './action-button';

interface LinkButtonProps {
  link: string;
  /** Why the user may not follow the link. */
  refusal: string | undefined;
  children: ComponentChildren;
}

/** A link to an action that looks like a button: greyed out, with the reason, where the service refuses the action. */
export function LinkButton({ link, refusal, children }: LinkButtonProps): JSX.Element {
  if (refusal !== undefined) return <ActionButton refusal={refusal}>{children}</ActionButton>;
  return (
    <a class="button" href={link}>
      {children}
    </a>
  );
}
