import type { Settings } from '../settings/settings';
import type { NewEvent } from '../store/store';
import type { CoreDefinition } from './core-definition';
import type { Logger } from './logger';
import type { Change, FeaturePart, Service } from './service';

export type { Change, FeaturePart } from './service';

/**
 * A part of a service that the generated `service.ts` names: a folder that only features which need it import. It
 * reads its settings first and throws an Error where they are wrong. The returned function is called when the store is
 * open.
 */
export type Feature = (
  definition: CoreDefinition,
  settings: Settings,
  logger: Logger,
) => (service: Service) => FeaturePart;

/** Returns the event to store with a write; undefined for a service that publishes none, which does not ask for the change. */
export function eventOfChange({ parts }: Pick<Service, 'parts'>, change: () => Change): NewEvent | undefined {
  for (const part of parts) if (part.eventOf !== undefined) return part.eventOf(change());
  return undefined;
}
