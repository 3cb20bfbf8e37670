import { existsSync, readFileSync } from 'node:fs';
import type { ResourceEvent } from '../../../templates/runtime/events/cloud-event';

/** What the durable subscriber of device-child.ts has been told so far; a line that it is writing just now is left out. */
export function audited(file: string): ResourceEvent[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as ResourceEvent);
}
