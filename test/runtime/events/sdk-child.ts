import { receiveWebhook } from '../../../templates/runtime/cloudevents/receive-webhook';
import { serve } from '../../../templates/runtime/serve';
import { createApp, serviceDefinition } from '../support/harness';
import { testProject } from '../support/projects';

// The test project with events as a process of its own. GET /sdk says whether the CloudEvents SDK is loaded; POST /sdk
// subscribes to events. It imports what `src/generated` exports.

const project = { ...testProject(), events: true };
const isLoaded = (): boolean =>
  Object.keys(require.cache).some((file) => file.includes('/node_modules/cloudevents/'));

void serve(serviceDefinition(project), (service) =>
  createApp(service, project, {
    middleware: (app) => {
      app.get('/sdk', (_req, res) => void res.json({ receives: typeof receiveWebhook, loaded: isLoaded() }));
      app.post('/sdk', (_req, res) => {
        service.events.subscribe('*', () => undefined);
        res.json({});
      });
    },
  }),
);
