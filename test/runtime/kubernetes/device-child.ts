import { serve } from '../../../templates/runtime/serve';
import { createApp, mountedKinds, serviceDefinition } from '../support/harness';
import { deviceProject } from './device-project';

/** The devices as a process of its own. HOOKS are modules that break the service on purpose, separated by commas. */
const project = deviceProject();
const { HOOKS = '' } = process.env;
for (const hook of HOOKS.split(',').filter((each) => each !== '')) require(hook);
void serve(serviceDefinition(project, mountedKinds(project)), (service) => createApp(service, project, {}));
