import {
  limitLists,
  rememberSent,
  type RepeatedList,
  repeatedList,
} from '../../templates/runtime/api/reads/repeated-lists';
import type { RequestContext } from '../../templates/runtime/api/request/request-context';
import type { Service } from '../../templates/runtime/service/service';

// A list is sent again only in the state that it was read in, and cached only once it was asked for again.

let state: string | undefined;
const service = { store: { listState: () => state } } as unknown as Service;

let paths = 0;
/** Returns a request for a list that no other test asks for. */
function newRequest(): RequestContext {
  const req = { url: `/devices/${paths++}`, originalUrl: '/devices' };
  const kind = { group: 'example.svc.dev', kind: 'Device', hooks: {} };
  return { kind, req, query: `test=${paths}` } as unknown as RequestContext;
}

const ask = (request: RequestContext): RepeatedList => repeatedList(service, request, 'v1')!;

test('a response that was read in an earlier state is not sent in a later one', () => {
  const request = newRequest();
  state = 'one';
  ask(request);
  const reading = ask(request);
  state = 'two';
  ask(request);
  rememberSent(reading, '[1]', undefined);
  expect(ask(request).sent).toBeUndefined();
});

test('the second response in a state is cached, not the first', () => {
  const request = newRequest();
  state = 'one';
  rememberSent(ask(request), '[1]', undefined);
  const again = ask(request);
  expect(again.sent).toBeUndefined();
  rememberSent(again, '[1]', undefined);
  expect(ask(request).sent?.text).toBe('[1]');
  expect(ask(newRequest()).sent).toBeUndefined();
});

test('a list in an unknown state is not cached', () => {
  state = undefined;
  expect(repeatedList(service, newRequest(), 'v1')).toBeUndefined();
});

test('long queries count: a cache of them would exceed its limit', () => {
  state = 'one';
  limitLists(100_000);
  try {
    const [short, long] = [newRequest(), { ...newRequest(), query: 'x'.repeat(1_000) }];
    expect(ask(short)).toBe(ask(short));
    expect(ask(long)).not.toBe(ask(long));
  } finally {
    limitLists(16 * 1024 * 1024);
  }
});
