import { StoredCursor } from '../../../templates/runtime/events/delivery/cursor';
import type { EventLog, Hold } from '../../../templates/runtime/store/events/event-log';

test('another process takes over within the lease', async () => {
  const claims: { at: number; hold: Hold }[] = [];
  const claim: EventLog['claim'] = (hold) => {
    claims.push({ at: performance.now(), hold });
    return Promise.resolve(claims.length === 1 ? undefined : '1');
  };
  const log = { claim, release: () => Promise.resolve() } as Partial<EventLog> as EventLog;
  const cursor = new StoredCursor(log, { consumer: 'webhook:audit', from: 'now', leaseMs: 4_000 });
  await cursor.open(new AbortController().signal, () => undefined);
  await cursor.close();
  const [first, second] = claims;
  // A process may die right after it has taken hold, and the other look right before the end of that.
  expect(first.hold.leaseMs + second.at - first.at).toBeLessThan(4_500);
});
