import './settings';
import type { KindDefinition } from '../model/kinds/kind';
import type { Feature } from '../service/feature';
import { plansOf } from './indexed-kinds';
import { ServiceData } from './service-data';
import { prepareIndexes } from './start';

/**
 * Serves the names, fields and references that kinds declare. `kinds` returns all kinds of the service; they are loaded
 * at the start, because the files of kinds may import the service.
 */
export function data(kinds: () => Promise<readonly { kind: KindDefinition }[]>): Feature {
  return () => (service) => {
    const part = new ServiceData(service);
    return {
      adds: { data: part },
      async prepare() {
        const all = (await kinds()).map(({ kind }) => kind);
        const plans = plansOf(all);
        part.use(plans);
        await prepareIndexes(service, all, plans);
      },
    };
  };
}
