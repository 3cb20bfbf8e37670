import { serve } from '../../../templates/runtime/serve';
import { createApp, serviceDefinition } from '../support/harness';
import { testProject } from '../support/projects';

/** The test project as a process of its own. With KILL_AFTER_WRITE it ends by SIGKILL when a write is durable. */
const project = testProject();
void serve(serviceDefinition(project), (service) => {
  const { store } = service;
  const write = store.write.bind(store);
  if (process.env['KILL_AFTER_WRITE'] !== undefined)
    store.write = async (...asked) => {
      await write(...asked);
      process.kill(process.pid, 'SIGKILL');
      return new Promise(() => undefined);
    };
  return createApp(service, project, {});
});
