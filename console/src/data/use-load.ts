import { useCallback, useEffect, useState } from 'preact/hooks';

/** Something that is read from the service. While it is read again, its last value stays, and if that fails. */
export interface Loaded<T> {
  value?: T;
  /** Set if the last attempt failed. */
  error?: unknown;
  isLoading: boolean;
  reload: () => void;
  /** Replaces the value, by what a write has returned for example. */
  replace: (value: T) => void;
}

/** Reads something, again whenever a key changes; an older attempt is then aborted. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, keys: unknown[]): Loaded<T> {
  const [attempt, setAttempt] = useState(0);
  const key = JSON.stringify(keys);
  const [state, setState] = useState<{ key: string; value?: T; error?: unknown; isLoading: boolean }>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const end = (result: { value?: T; error?: unknown }): void => {
      if (signal.aborted) return;
      setState((last) => ({
        ...(last?.key === key && { value: last.value }),
        key,
        ...result,
        isLoading: false,
      }));
    };
    setState((last) => ({ ...(last?.key === key ? last : { key }), isLoading: true }));
    load(signal).then(
      (value) => end({ value }),
      (error: unknown) => end({ error }),
    );
    return () => controller.abort();
  }, [key, attempt]);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  const replace = useCallback((value: T) => setState({ key, value, isLoading: false }), [key]);
  return state?.key === key ? { ...state, reload, replace } : { isLoading: true, reload, replace };
}
