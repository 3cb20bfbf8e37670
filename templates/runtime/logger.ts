import pino from 'pino';
import type { Settings } from './settings';

/** What the service logs with. */
export type Logger = pino.Logger;

/** Structured logs on stdout, one JSON object a line, times in RFC 3339. */
export function createLogger(name: string, settings: Settings): Logger {
  return pino({ name, level: settings.LOG_LEVEL, base: { name }, timestamp: pino.stdTimeFunctions.isoTime });
}
