import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ConsoleKindSummary, ConsoleService } from '../../../templates/runtime/console/content';

/** The service and the parts of the console that every page may use. */
export interface ConsoleState {
  service: ConsoleService;
  /** Changes with each sign-in and sign-out: a key of everything that is read. */
  session: number;
  openSignIn: () => void;
  /** Shows a short message that disappears by itself. */
  notify: (text: string) => void;
}

export const ServiceContext = createContext<ConsoleState | undefined>(undefined);

/** Returns the state of the console, within its pages. */
export function useConsole(): ConsoleState {
  const state = useContext(ServiceContext);
  if (state === undefined) throw new Error('A page is used outside of the console.');
  return state;
}

/** Returns a version as a parameter of a page; the storage version is the default of every page. */
export function versionParameter(
  { storageVersion }: Pick<ConsoleKindSummary, 'storageVersion'>,
  version: string,
): string | undefined {
  return version === storageVersion ? undefined : version;
}

/** Returns the kind with this plural. */
export function kindOf({ kinds }: ConsoleService, plural: string): ConsoleKindSummary | undefined {
  return kinds.find((kind) => kind.plural === plural);
}
