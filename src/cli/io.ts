/** What of `process` the command line uses; `process` itself is one. */
export interface Io {
  stdin: { isTTY?: boolean } & AsyncIterable<Buffer | string>;
  stdout: Output;
  stderr: Output;
  env: { [name: string]: string | undefined };
  /** The current folder. */
  cwd(): string;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/** A stream that text is written to, a terminal perhaps. */
export interface Output {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** Whether the stream shows colours: a terminal does, unless `NO_COLOR` is set (no-color.org). */
export function hasColors({ isTTY }: Output, { NO_COLOR, TERM }: Io['env']): boolean {
  return !!isTTY && !NO_COLOR && TERM !== 'dumb';
}
