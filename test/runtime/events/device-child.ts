import { appendFileSync } from 'node:fs';
import { serve } from '../../../templates/runtime/serve';
import { createApp, serviceDefinition } from '../support/harness';
import { testProject } from '../support/projects';

const project = { ...testProject(), events: true };

/**
 * The test project with events as a process of its own. The events of its durable subscriber are in the file
 * AUDIT.
 */
void serve(serviceDefinition(project), (service) => {
  const file = process.env['AUDIT']!;
  service.events.subscribe('*', (event) => appendFileSync(file, `${JSON.stringify(event)}\n`), {
    name: 'audit',
  });
  return createApp(service, project, {});
});
