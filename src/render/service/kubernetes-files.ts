import type { KubernetesContent } from '../../../templates/runtime/kubernetes/face/content';
import { literal, type Printable } from '../../code/literal';
import { printedColumns } from '../../plan/columns';
import type { PlannedProject } from '../../plan/planned-project';
import { renderTemplate } from '../text/templates';

/** `kubernetes/content.ts`: the parts of kinds that only Kubernetes clients see. */
export function kubernetesContentFile(project: PlannedProject): string {
  return renderTemplate('generated/kubernetes/content.ts', {
    content: literal(kubernetesContent(project) as unknown as Printable, {
      column: 'export const kubernetesContent: KubernetesContent = '.length,
      tail: 1,
    }),
  });
}

/** Returns the same as a value, for services that run without being generated. */
export function kubernetesContent({ kinds }: PlannedProject): KubernetesContent {
  return {
    kinds: Object.fromEntries(
      kinds.map((subject) => [
        `${subject.group.name}/${subject.kind.name}`,
        { description: subject.kind.description, columns: printedColumns(subject) },
      ]),
    ),
  };
}
