import type { JSX } from 'preact';
import type { ConsoleService } from '../../../templates/runtime/console/content';
import { EventsPage } from './events/events-page';
import { ServicePage } from './service/service-page';

/** A page that belongs to no kind. Its URL is `#/-/<name>`: no kind is called `-`. */
export interface SitePage {
  name: string;
  title: string;
  Page: (props: { query: URLSearchParams }) => JSX.Element;
}

/** Returns the pages that a service has: none of a part that is switched off. */
export function sitePagesOf({ links }: ConsoleService): SitePage[] {
  return [
    ...('events' in links ? [{ name: 'events', title: 'Events', Page: EventsPage }] : []),
    { name: 'service', title: 'Service', Page: ServicePage },
  ];
}

/** Returns the page of this name. */
export function sitePageOf(service: ConsoleService, name: string | undefined): SitePage | undefined {
  return sitePagesOf(service).find((page) => page.name === name);
}
