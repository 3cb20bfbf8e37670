import type { Feature } from '../service/feature';
import { deleteVersion, getVersion, listVersions } from './endpoints';

/** Serves the snapshots of kinds with spec version history. */
export const history: Feature = () => () => ({
  adds: { history: { listVersions, getVersion, deleteVersion } },
});
