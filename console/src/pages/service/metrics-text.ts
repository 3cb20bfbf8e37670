/** A line of the text format of Prometheus. */
export interface MetricLine {
  name: string;
  labels: { [name: string]: string };
  value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Reads the lines of these metrics. */
export function readMetrics(text: string, names: ReadonlySet<string>): MetricLine[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    if (name === undefined || !names.has(name)) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, key, text]) => [key, text.replace(/\\(.)/g, '$1')]);
    return [{ name, labels: Object.fromEntries(pairs) as MetricLine['labels'], value: Number(value) }];
  });
}
