import { readPages, type SitePage } from '../http/responses/page';
import type { KindDefinition } from '../model/kinds/kind';
import type { JsonObject } from '../model/schema';
import type { Service } from '../service/service';
import { documentPages } from './documents';
import { healthz, readyz } from './health';
import { indexPages } from './index-pages';

/** Returns every page of a service that belongs to no kind, by path; a feature may replace one. */
export function sitePages(
  service: Service,
  kinds: KindDefinition[],
  openapi: () => JsonObject,
): Map<string, SitePage> {
  const pages = [
    readPages({
      ...indexPages(service, kinds),
      ...documentPages(service.definition, openapi),
      '/healthz': healthz,
      '/readyz': (req, res) => readyz(service, req, res),
    }),
    ...service.parts.map((part) => part.pages?.(kinds) ?? {}),
  ];
  return new Map(pages.flatMap((each) => Object.entries(each)));
}
