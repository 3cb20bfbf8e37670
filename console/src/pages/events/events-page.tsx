import type { JSX } from 'preact';
import { goTo, linkTo } from '../../data/route';
import { Tabs } from '../../parts/tabs';
import { DeadLetters } from './dead-letters';
import { EventStreamView } from './event-stream-view';

/** The events of the service: the stream, and those that were given up. */
export function EventsPage({ query }: { query: URLSearchParams }): JSX.Element {
  const tab = query.get('tab') === 'dead-letters' ? 'dead-letters' : 'stream';
  return (
    <>
      <div class="head">
        <h1>Events</h1>
      </div>
      <Tabs
        current={tab}
        tabs={[
          { name: 'stream', title: 'Stream', link: linkTo(['-', 'events']) },
          {
            name: 'dead-letters',
            title: 'Dead letters',
            link: linkTo(['-', 'events'], { tab: 'dead-letters' }),
          },
        ]}
      />
      {tab === 'dead-letters' ? (
        <DeadLetters after={query.get('after') ?? undefined} />
      ) : (
        <EventStreamView
          parameters={query}
          show={(changes) => goTo(linkTo(['-', 'events'], changes), true)}
        />
      )}
    </>
  );
}
