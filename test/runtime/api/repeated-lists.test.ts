import { type RepeatedList, RepeatedLists } from '../../../templates/runtime/api/reads/repeated-lists';
import type { RequestContext } from '../../../templates/runtime/api/request/request-context';

// A list is sent again only in the state that it was read in, and cached only once it was asked for again.

let state: string | undefined;
const store = { listState: () => state };
const lists = new RepeatedLists(store, 16 * 1024 * 1024);

let paths = 0;
/** Returns a request for a list that no other test asks for. */
function newRequest(): RequestContext {
  const req = { url: `/devices/${paths++}`, originalUrl: '/devices' };
  const kind = { group: 'example.svc.dev', kind: 'Device', hooks: {} };
  return { kind, req, query: `test=${paths}` } as unknown as RequestContext;
}

const ask = (request: RequestContext): RepeatedList => lists.find(request, 'v1')!;

test('a response that was read in an earlier state is not sent in a later one', () => {
  const request = newRequest();
  state = 'one';
  ask(request);
  const reading = ask(request);
  state = 'two';
  ask(request);
  lists.remember(reading, '[1]', undefined);
  expect(ask(request).sent).toBeUndefined();
});

test('the second response in a state is cached, not the first', () => {
  const request = newRequest();
  state = 'one';
  lists.remember(ask(request), '[1]', undefined);
  const again = ask(request);
  expect(again.sent).toBeUndefined();
  lists.remember(again, '[1]', undefined);
  expect(ask(request).sent?.body.toString()).toBe('[1]');
  expect(ask(newRequest()).sent).toBeUndefined();
});

test('a list in an unknown state is not cached', () => {
  state = undefined;
  expect(lists.find(newRequest(), 'v1')).toBeUndefined();
});

test('long queries count: a cache of them would exceed its limit', () => {
  state = 'one';
  const few = new RepeatedLists(store, 100_000);
  const [short, long] = [newRequest(), { ...newRequest(), query: 'x'.repeat(1_000) }];
  expect(few.find(short, 'v1')).toBe(few.find(short, 'v1'));
  expect(few.find(long, 'v1')).not.toBe(few.find(long, 'v1'));
});
