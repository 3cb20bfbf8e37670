import { collectionOf, type KindDefinition } from '../model/kinds/kind';
import type { Service } from '../service/service';
import { stabilityOf } from '../site/discovery';
import { serviceIndex } from '../site/discovery';
import type { ConsoleContent, ConsoleKindDetails, ConsoleService } from './content';

/** Returns the service as the console shows it. */
export function describeService(
  service: Pick<Service, 'definition' | 'parts'>,
  kinds: KindDefinition[],
  content: ConsoleContent,
): ConsoleService {
  const { definition } = service;
  const { name, validation, requireIfMatch } = definition;
  return {
    ...{ name, version: content.version, validation, requireIfMatch },
    security: definition.security?.schemes ?? [],
    links: serviceIndex(service, kinds).links,
    kinds: kinds.map((kind) => ({
      group: kind.group,
      kind: kind.kind,
      plural: kind.plural,
      description: content.kinds[collectionOf(kind)]?.description ?? '',
      storageVersion: kind.storageVersion,
      uidPrefix: kind.uidPrefix,
      history: kind.history !== undefined,
      sorts: kind.storageVersion in (content.kinds[collectionOf(kind)]?.selectable ?? {}),
      versions: kind.servedVersions.map((version) => {
        const group = definition.groups.find(({ name }) => name === kind.group);
        const deprecated = group?.deprecations?.[version]?.since;
        return { version, stability: stabilityOf(version), ...(deprecated && { deprecated }) };
      }),
    })),
  };
}

/** Returns a kind as the console shows it. */
export function describeKind(kind: KindDefinition, content: ConsoleContent): ConsoleKindDetails {
  const own = content.kinds[collectionOf(kind)];
  return {
    versions: Object.fromEntries(
      kind.servedVersions.map((version) => {
        const { spec, status, types } = kind.versions[version];
        const { columns = {}, selectable = {}, rules = {}, examples = {} } = own ?? {};
        return [
          version,
          {
            spec,
            status,
            types,
            columns: columns[version] ?? [],
            selectable: selectable[version] ?? [],
            rules: rules[version],
            example: examples[version],
          },
        ];
      }),
    ),
  };
}
