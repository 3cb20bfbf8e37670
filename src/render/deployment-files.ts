import { NAME_LENGTH } from '../names';
import type { Project } from '../model';
import { renderTemplate } from './templates';

/** `compose.yaml`: the service with PostgreSQL and, where events are published, NATS. */
export function composeFile({ events }: Project): string {
  return renderTemplate('project/compose.yaml', { events });
}

/** `kubernetes/service.yaml`: what runs the service in a cluster. */
export function kubernetesFile({ name }: Project): string {
  return renderTemplate('project/kubernetes/service.yaml', { name, label: dnsLabel(name) });
}

/** The name as Kubernetes takes one for a Service (RFC 1035, section 2.3.1): no dots, no digit at the start. */
function dnsLabel(name: string): string {
  const start = /^[a-z]/.test(name) ? '' : 'svc-';
  return `${start}${name.replace(/[._]/g, '-')}`.slice(0, NAME_LENGTH).replace(/-+$/, '');
}
