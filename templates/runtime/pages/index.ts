import { readPages } from '../http/responses/page';
import type { Feature } from '../service/feature';
import { serviceIndex } from '../site/discovery';
import { docsPages } from './docs-pages';
import { landingPage } from './landing';

/** Pages for people: `/` in browsers, and `/docs`. */
export const pages: Feature = (definition) => (service) => ({
  links: { docs: '/docs' },
  pages: (kinds) =>
    readPages({
      '/': landingPage(serviceIndex(service, kinds), definition.groups),
      ...docsPages(definition),
    }),
});
