import { certificateOf } from '../http/security/certificate';
import type { Settings } from '../settings/settings';
import type { ServiceDefinition } from './definition';

/** Throws an Error where a service cannot start with settings of the right form: without workers, or a certificate. */
export function checkStart({ workers }: Pick<ServiceDefinition, 'workers'>, settings: Settings): void {
  certificateOf(settings);
  if (settings.WORKERS > 1 && workers === undefined)
    throw new Error(`WORKERS=${settings.WORKERS} needs a service that is generated with workers: true`);
}
