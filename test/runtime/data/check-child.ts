import { checkData } from '../../../templates/runtime/data/check-data';
import { mountedKinds, serviceDefinition } from '../support/harness';
import { DATA, shopProject } from './shop';

/** `npm run check-data` of the shop. */
const kinds = mountedKinds(shopProject(), {}, DATA);
void checkData(
  serviceDefinition(shopProject(), kinds),
  kinds.map(({ kind }) => kind),
  process.argv.slice(2),
).then((code) => (process.exitCode = code));
