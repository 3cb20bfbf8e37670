import { existsSync, readFileSync } from 'node:fs';
import type { ResourceEvent } from '../../../templates/runtime/events/log/cloud-event';

/** Returns the events that the durable subscriber of device-child.ts has received so far, without an incomplete last line. */
export function audited(file: string): ResourceEvent[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as ResourceEvent);
}
