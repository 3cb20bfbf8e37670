import { type Page, readPages, type SitePage } from '../http/responses/page';
import { jsonResponse, staticPages } from '../http/responses/static-response';
import type { KindDefinition } from '../model/kinds/kind';
import type { JsonObject } from '../model/schema';
import type { Service } from '../service/service';
import { apiIndex, type Indexed, serviceIndex } from './discovery';
import { documentPages } from './documents';
import { healthz, readyz } from './health';

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

/** `GET /` and `GET /apis`, as JSON. */
export function indexPages(service: Indexed, kinds: KindDefinition[]): { [path: string]: Page } {
  return staticPages({
    '/': () => jsonResponse(serviceIndex(service, kinds)),
    '/apis': () => jsonResponse(apiIndex(service.definition, kinds)),
  });
}
