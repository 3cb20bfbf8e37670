import { writeSync } from 'node:fs';
import pino from 'pino';
import { textOf } from '../model/thrown';
import type { Settings } from '../settings/settings';
import type { Notice } from '../store/database';
import { workerNumber } from './worker-process';

const STDOUT = 1;

/** The logger of the service. */
export type Logger = pino.Logger;

/**
 * Creates a logger of structured logs, one JSON object a line, on stdout by default; times in RFC 3339. Each worker
 * logs its number.
 */
export function createLogger(
  name: string,
  settings: Settings,
  destination: pino.DestinationStream = new LogFile(STDOUT),
): Logger {
  const worker = workerNumber();
  const base = { name, ...(worker !== undefined && { worker }) };
  const serializers = { err: withoutProperties };
  const { isoTime: timestamp } = pino.stdTimeFunctions;
  return pino({ name, level: settings.LOG_LEVEL, base, serializers, timestamp }, destination);
}

/** Returns what logs the notices of a store. */
export function noticesTo(logger: Logger): (notice: Notice) => void {
  return ({ level, text, facts }) => logger[level]({ ...facts }, text);
}

/**
 * Returns an error without the properties that libraries add to it, such as URLs, headers and statements: they may hold
 * secrets. Whoever logs a failure relies on it never to throw, whatever was thrown: null, or an error whose members throw.
 */
function withoutProperties(thrown: unknown): object {
  if (typeof thrown !== 'object' || thrown === null) return { message: textOf(thrown) };
  try {
    const { type, message, stack, code } = pino.stdSerializers.err(thrown as Error);
    return { type, message, stack, code: code as unknown };
  } catch {
    return { message: textOf(thrown) };
  }
}

/** Pause before lines are offered again to a reader that takes none, in ms. */
const PAUSE = 10;

/**
 * Writes lines to an open file or pipe. Lines that cannot be written, as on a full disk, are lost: the service goes on, and
 * writes lines again once it can. A slow reader is waited for. (The streams of pino end the process on a full disk, or never
 * let it end.)
 */
export class LogFile {
  /** Set when only the beginning of a line was written. */
  #isCut = false;

  constructor(private readonly file: number) {}

  /** Writes a line. */
  write(line: string): void {
    const bytes = Buffer.from(this.#isCut ? `\n${line}` : line);
    let written = 0;
    try {
      while (written < bytes.length) written += this.#some(bytes, written);
    } catch {
      // There is no place for a message about it.
    }
    if (written > 0) this.#isCut = written < bytes.length;
  }

  /** Writes some bytes after the first `start`, and returns their number. Throws the errors of the system. */
  #some(bytes: Buffer, start: number): number {
    try {
      return writeSync(this.file, bytes, start);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
      return 0;
    }
  }
}
