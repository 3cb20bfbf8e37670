import type { Feature } from '../service/feature';
import { deleteVersion, getVersion, listVersions } from './endpoints';
import { record } from './snapshot';

/** Records the snapshots of kinds with spec version history, and serves them. */
export const history: Feature = () => () => ({
  adds: { history: { listVersions, getVersion, deleteVersion, record } },
});
