import { cacheShares } from '../memory/cache-shares';
import type { Feature } from '../service/feature';
import type { KubernetesContent } from './face/content';
import { ROOT } from './face/face';
import { RowForms } from './face/row-forms';
import { lifecycle } from './lifecycle/rules';
import { postponeDeletion } from './lifecycle/waiting-deletion';
import { ownersAfter } from './ownership/after-write';
import { kubernetesTree } from './tree';

/** Serves the kinds to kubectl and other Kubernetes clients, below `/k8s`. */
export function kubernetes(content: KubernetesContent): Feature {
  return () => (service) => ({
    adds: {
      lifecycle: { ...lifecycle, postpone: (...deletion) => postponeDeletion(service, ...deletion) },
      owners: { after: (...write) => ownersAfter(service, ...write) },
    },
    trees(kinds) {
      const forms = new RowForms(cacheShares(service.settings).objects);
      return { [ROOT]: kubernetesTree({ service, kinds, content, forms }) };
    },
    links: { kubernetes: `/${ROOT}` },
  });
}
