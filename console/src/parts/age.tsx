import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const UNITS: [name: string, seconds: number][] = [
  ['y', 31_536_000],
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
];
const REFRESH_MS = 30_000;

/** Returns the time between two moments in one unit, such as `3 h`. */
export function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const [name, size] = UNITS.find(([, size]) => seconds >= size) ?? ['s', 1];
  return `${Math.floor(seconds / size)} ${name}`;
}

/** The time since a moment, with the moment itself as its title. A text that is no time is shown as it is. */
export function Age({ time }: { time: string }): JSX.Element {
  const [, refresh] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => refresh((count) => count + 1), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  // A change that has just come is not before the last refresh.
  const now = Date.now();
  const moment = Date.parse(time);
  if (Number.isNaN(moment)) return <>{time}</>;
  return (
    <time dateTime={time} title={time}>
      {moment > now ? `in ${ageText(moment - now)}` : ageText(now - moment)}
    </time>
  );
}
