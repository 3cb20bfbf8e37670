import { migrateStorage } from '../../../templates/runtime/versions/migrate-storage';
import { kindDefinition, serviceDefinition } from '../support/harness';
import { versionedProject } from '../support/versioned-project';

/** `npm run migrate-storage` of the versioned project, with the hub that the first argument names. */
const [hub, ...rest] = process.argv.slice(2);
const project = versionedProject(hub);
const kinds = project.groups.flatMap((group) => group.kinds.map((kind) => kindDefinition(group, kind, {})));
void migrateStorage(serviceDefinition(project), kinds, rest).then((code) => (process.exitCode = code));
