import { setTimeout } from 'node:timers/promises';
import { serve } from '../../../templates/runtime/serve';
import { createApp, serviceDefinition } from './harness';
import { testProject } from './projects';

/** The test project as a process of its own. A Book whose title is a number of milliseconds takes so long to create. */
const project = testProject();
const hooks = {
  Book: {
    validate: (book: { spec: { [name: string]: unknown } }) => setTimeout(Number(book.spec['title']) || 0),
  },
};
void serve(serviceDefinition(project), (service) => createApp(service, project, { hooks }));
