import type { ComponentChildren, JSX } from 'preact';
import { useConsole } from '../data/service-context';

interface ActionButtonProps {
  /** Why the service refuses the action; undefined where nothing is known against it. */
  refusal: string | undefined;
  class?: string;
  disabled?: boolean;
  'aria-label'?: string;
  onClick?: () => void;
  children: ComponentChildren;
}

/**
 * A button that is greyed out where the service refuses its action. It stays within reach of the keyboard and of a
 * finger, and says the reason when it is pressed.
 */
export function ActionButton({ refusal, onClick, children, ...rest }: ActionButtonProps): JSX.Element {
  const { notify } = useConsole();
  if (refusal === undefined || rest.disabled === true)
    return (
      <button type="button" {...rest} onClick={onClick}>
        {children}
      </button>
    );
  return (
    <button type="button" {...rest} aria-disabled="true" title={refusal} onClick={() => notify(refusal)}>
      {children}
    </button>
  );
}
