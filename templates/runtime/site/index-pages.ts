import type { Page } from '../http/responses/page';
import { staticPages, staticResponse } from '../http/responses/static-response';
import type { KindDefinition } from '../model/kinds/kind';
import type { Service } from '../service/service';
import { apiIndex, type ServiceIndex, serviceIndex } from './discovery';

/** The parts of a service that its index shows. */
type Indexed = Pick<Service, 'definition' | 'parts'>;

/** `GET /` and `GET /apis`, as JSON. */
export function indexPages(service: Indexed, kinds: KindDefinition[]): { [path: string]: Page } {
  const json = (value: object) => staticResponse('application/json', JSON.stringify(value));
  return staticPages({
    '/': () => json(indexOf(service, kinds)),
    '/apis': () => json(apiIndex(service.definition, kinds)),
  });
}

/** Returns the index of a service, with the links of its features. */
export function indexOf({ definition, parts }: Indexed, kinds: KindDefinition[]): ServiceIndex {
  const links = Object.assign({}, ...parts.map((part) => part.links ?? {})) as { [name: string]: string };
  return serviceIndex(definition, kinds, links);
}
