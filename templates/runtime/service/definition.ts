import type { Settings } from '../settings/settings';
import type { CoreDefinition } from './core-definition';
import type { Feature } from './feature';

/** The whole service, as data. */
export interface ServiceDefinition extends CoreDefinition {
  /** Optional features of the service. They start in this order. */
  features: readonly Feature[];
  /** Runs the service in several processes; absent where it cannot. */
  workers?: (definition: CoreDefinition, settings: Settings) => Promise<void>;
}
