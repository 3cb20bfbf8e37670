import type { Page } from '../http/responses/page';
import { staticPages, staticResponse } from '../http/responses/static-response';
import type { KindDefinition } from '../model/kinds/kind';
import { apiIndex, type Indexed, serviceIndex } from './discovery';

/** `GET /` and `GET /apis`, as JSON. */
export function indexPages(service: Indexed, kinds: KindDefinition[]): { [path: string]: Page } {
  const json = (value: object) => staticResponse('application/json', JSON.stringify(value));
  return staticPages({
    '/': () => json(serviceIndex(service, kinds)),
    '/apis': () => json(apiIndex(service.definition, kinds)),
  });
}
