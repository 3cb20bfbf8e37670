import { serve } from '../../../templates/runtime/serve';
import { createApp, mountedKinds, serviceDefinition } from '../support/harness';
import { DATA, shopProject } from './shop';

/** The shop as a process of its own. */
const kinds = mountedKinds(shopProject(), {}, DATA);
void serve(serviceDefinition(shopProject(), kinds), (service) =>
  createApp(service, shopProject(), { data: DATA }),
);
