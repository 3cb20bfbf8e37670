import type { JSX } from 'preact';

/** A line of a chart; undefined where nothing was measured. */
export interface Series {
  name: string;
  points: (number | undefined)[];
}

interface ChartProps {
  title: string;
  unit: string;
  series: Series[];
  /** The number of points that the width has room for. */
  room: number;
}

const [WIDTH, HEIGHT] = [300, 64];

/** A small chart of the last minutes, the newest value at the right. */
export function Chart({ title, unit, series, room }: ChartProps): JSX.Element {
  const highest = Math.max(
    ...series.flatMap(({ points }) => points.filter((point) => point !== undefined)),
    0,
  );
  const now = series.map(({ name, points }) => `${name} ${shown(points.at(-1), unit)}`);
  return (
    <figure class="card chart">
      <figcaption>
        <h3>{title}</h3>
        <span class="chart-values">
          {series.map(({ name, points }, index) => (
            <span key={name} class={`series-${index}`}>
              {name} <strong>{shown(points.at(-1), unit)}</strong>
            </span>
          ))}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${now.join(', ')}; highest ${shown(highest, unit)}`}
      >
        {series.map(({ name, points }, index) => (
          <path key={name} class={`series-${index}`} d={lineOf(points, room, highest)} />
        ))}
      </svg>
      <p class="soft chart-end">highest {shown(highest, unit)}</p>
    </figure>
  );
}

function shown(value: number | undefined, unit: string): string {
  if (value === undefined) return '–';
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${Number(value.toFixed(digits)).toLocaleString('en')} ${unit}`;
}

/** Returns the path of a line; it has a gap where nothing was measured. */
function lineOf(points: (number | undefined)[], room: number, highest: number): string {
  let isGap = true;
  const parts: string[] = [];
  for (const [index, point] of points.entries()) {
    if (point !== undefined) {
      const x = WIDTH - ((points.length - 1 - index) * WIDTH) / (room - 1);
      const y = HEIGHT - 2 - (highest === 0 ? 0 : (point / highest) * (HEIGHT - 4));
      parts.push(`${isGap ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`);
      // A single point is a dot.
      if (isGap) parts.push('h0.1');
    }
    isGap = point === undefined;
  }
  return parts.join('');
}
