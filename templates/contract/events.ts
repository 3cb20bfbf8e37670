import { MERGE, type Place } from './place';

/** The part of an event that is compared. */
interface Event {
  type: string;
  source: string;
  data: { action: string; resourceUID: string; resource: unknown; metadata: { updateType?: string } };
}

const POSITION = /\bid: (\S+)\n\n/;

/**
 * Checks that each write of a resource publishes one event, in order, with the resource as it was then; a refused write
 * publishes none.
 */
export function events(place: Place): void {
  const { service, kind } = place;
  const type = (action: string): string => `io.svc.${kind.kind.toLowerCase()}.${action}`;

  test('the events in the life of a resource', async () => {
    const start = await service.readUntil('/events', (text) => POSITION.test(text));
    const { url, shown } = await place.fresh();
    await place.send('PUT', url, { body: { spec: '' } });
    const headers = { 'Content-Type': MERGE };
    const renamed = await service.resource(200, 'PATCH', url, {
      headers,
      body: { metadata: { name: place.name('new') } },
    });
    await place.send('DELETE', url);
    const { uid } = shown.metadata;
    const ownOf = (text: string): Event[] => eventsOf(text).filter(({ data }) => data.resourceUID === uid);
    const text = await service.readUntil(`/events?lastEventId=${POSITION.exec(start)![1]}`, (text) =>
      ownOf(text).some(({ data }) => data.action === 'deleted'),
    );
    const own = ownOf(text);

    expect(own.map(({ type, data }) => [type, data.action, data.metadata.updateType])).toEqual([
      [type('created'), 'created', undefined],
      [type('updated'), 'updated', 'status'],
      [type('updated'), 'updated', undefined],
      [type('deleted'), 'deleted', undefined],
    ]);
    expect(new Set(own.map(({ source }) => source))).toEqual(
      new Set([`svc-api/resources/${kind.kind}/${uid}`]),
    );
    expect(own.slice(1).map(({ data }) => data.resource)).toEqual([shown, renamed, renamed]);
  });

  test('filters of a stream', () => filtered(place));
}

/** Filters that all select the deletion of the second resource, and the creations that they select, by labels. */
function filters({ kind }: Place): [query: string, created: string[]][] {
  const name = kind.kind.toLowerCase();
  const [all, second] = [['first', 'second'], ['second']];
  return [
    [`type=io.svc.${name}.*`, all],
    ['type=*.created&type=*.deleted', all],
    ['type=*.deleted', []],
    [`type=io.svc.${name}&type=io.svc.${name}.deleted`, []],
    [`kind=${kind.kind}`, all],
    [`kind=${kind.group}/${kind.kind}`, all],
    ['labelSelector=made in (first,second)', all],
    ['labelSelector=made!=first', second],
    ['label=made=second', second],
    ['labelSelector=last', second],
  ];
}

/** Checks which creations the stream of each filter shows; the deletion of the second resource ends it. */
async function filtered(place: Place): Promise<void> {
  const { service } = place;
  const start = POSITION.exec(await service.readUntil('/events', (text) => POSITION.test(text)))![1];
  const first = await place.fresh({ labels: { made: 'first' } });
  const second = await place.fresh({ labels: { made: 'second', last: 'yes' } });
  await place.send('DELETE', second.url);
  const uids = [first, second].map(({ shown }) => shown.metadata.uid);
  for (const [query, created] of filters(place)) {
    const isLast = ({ data }: Event): boolean => data.action === 'deleted' && data.resourceUID === uids[1];
    const path = `/events?lastEventId=${start}&${query.replaceAll(' ', '+')}`;
    const text = await service.readUntil(path, (text) => eventsOf(text).some(isLast));
    const shown = eventsOf(text).filter(({ data }) => data.action === 'created');
    const found = shown.map(({ data }) => ['first', 'second'][uids.indexOf(data.resourceUID)]);
    expect([query, found]).toEqual([query, created]);
  }
}

/** Returns the events that have arrived completely. Fields may hold what regular expressions take for the end of a line. */
function eventsOf(stream: string): Event[] {
  const lines = stream.split('\n').slice(0, -1);
  return lines
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Event);
}
