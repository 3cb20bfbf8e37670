import type { Progress } from '../store/indexing/store-indexes';

/** Least time between two reports, in milliseconds. */
const REPORTING = 1_000;

/** Returns progress that is reported at most once a second, and at the end of each kind. */
export function onceASecond(report: Progress): Progress {
  let reported = performance.now();
  return (kind, done, all) => {
    const now = performance.now();
    if (done < all && now - reported < REPORTING) return;
    reported = now;
    report(kind, done, all);
  };
}
