import pino from 'pino';
import { onUnconverted } from './conversion/unconverted';
import type { Settings } from './settings';
import { workerNumber } from './workers/worker';

/** What the service logs with. */
export type Logger = pino.Logger;

/** Structured logs on stdout, one JSON object a line, times in RFC 3339. Of several workers each tells its number. */
export function createLogger(name: string, settings: Settings): Logger {
  const worker = workerNumber();
  const base = { name, ...(worker !== undefined && { worker }) };
  return pino({ name, level: settings.LOG_LEVEL, base, timestamp: pino.stdTimeFunctions.isoTime });
}

/**
 * Logs what could not be converted, and nothing of what is stored: of what a function threw, its type and where it
 * came from, since a message may quote the resource.
 */
export function logUnconverted(logger: Logger): void {
  onUnconverted(({ error, ...left }) => {
    if (left.function === undefined) return logger.error(left, 'not converted');
    const { name, stack } = error instanceof Error ? error : { name: typeof error, stack: '' };
    const frames = (stack ?? '').split('\n').filter((line) => /^ +at /.test(line));
    logger.error({ ...left, error: { type: name, stack: frames.join('\n') } }, 'not converted');
  });
}
