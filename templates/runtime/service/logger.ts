import pino from 'pino';
import type { Settings } from '../settings/settings';
import { LogFile } from './log-file';
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

/**
 * Returns an error without the properties that libraries add to it, such as URLs, headers and statements: they may hold
 * secrets.
 */
function withoutProperties(error: Error): object {
  const { type, message, stack, code } = pino.stdSerializers.err(error);
  return { type, message, stack, code: code as unknown };
}
