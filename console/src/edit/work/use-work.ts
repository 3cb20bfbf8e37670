import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { tabStorage } from '../../data/storage';
import { readWork, type Work, writeWork } from './unsaved';

/** Unsaved work that survives a reload of the page. */
export interface StoredWork {
  /** Undefined while nothing is unsaved. */
  work: Work | undefined;
  /** Replaces the work by what is made of its latest state: a render may be behind. */
  setWork: (make: (work: Work | undefined) => Work | undefined) => void;
  /** False for work that a reload would lose: the storage of the tab has no room for it, or is refused. */
  isStored: boolean;
}

/** Keeps unsaved work in the storage of the tab. */
export function useWork(key: string): StoredWork {
  const [work, setState] = useState(() => readWork(key));
  const latest = useRef(work);
  const [isStored, setStored] = useState(work === undefined || tabStorage.isLasting);
  const setWork = useCallback(
    (make: (work: Work | undefined) => Work | undefined) => {
      const next = make(latest.current);
      latest.current = next;
      setStored(writeWork(key, next));
      setState(next);
    },
    [key],
  );
  useEffect(() => {
    if (isStored) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isStored]);
  return { work, setWork, isStored };
}
