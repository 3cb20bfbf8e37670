import { useEffect, useState } from 'preact/hooks';
import { useConsole } from './service-context';

/** What is read again and again: the last value, or the error of the last attempt. */
export interface Polled<T> {
  value?: T;
  error?: unknown;
}

/** Reads something again and again, with a pause between; a hidden page pauses too. */
export function usePoll<T>(read: (signal: AbortSignal) => Promise<T>, pauseMs: number): Polled<T> {
  const { session } = useConsole();
  const [state, setState] = useState<Polled<T>>({});
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = async (): Promise<void> => {
      if (!document.hidden) {
        const result = await read(signal).then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        );
        if (signal.aborted) return;
        setState(result);
      }
      timer = setTimeout(() => void run(), pauseMs);
    };
    void run();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [session, pauseMs]);
  return state;
}
