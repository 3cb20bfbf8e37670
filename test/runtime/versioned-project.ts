import { loadProject } from '../../src/load-project';
import type { Project } from '../../src/model';

/**
 * Devices in three versions: renames, a scale, fields of one version alone, rules that are stricter or looser than the
 * hub's, a list with a key. Gadgets exist in the hub alone.
 */
const YAML = `
name: versioned-service
events: true
groups:
  - name: example.svc.dev
    storageVersion: v1
    versions: [v1, v2beta1, v1alpha1]
    kinds:
      - name: Device
        specVersioning: true
        versions:
          v1:
            spec:
              name: { type: string, rules: [required] }
              location: { type: string, rules: [required, max=20] }
              model: string
              timeoutMs: { type: integer, rules: [min=0, max=60000] }
              ports: { type: list, key: name, items: { type: object, fields: {
                name: { type: string, rules: [required] }, number: { type: integer, rules: [max=65535] } } } }
              config: { type: map, values: string }
            status:
              phase: { type: string, rules: [oneof=Pending Ready] }
              health: string
              ready: { type: boolean, default: false }
          v2beta1:
            spec:
              name: { type: string, rules: [required, min=3] }
              site: { type: string, rules: [required] }
              model: string
              timeoutSeconds: { type: integer, rules: [min=0] }
              nickname: string
              ports: { type: list, key: name, items: { type: object, fields: {
                name: { type: string, rules: [required] }, port: integer, note: string } } }
              config: { type: map, values: string }
            status:
              state: { type: string, rules: [oneof=Pending Ready] }
              health: string
              remark: string
              ready: { type: boolean, default: false }
            conversion:
              - rename: { hub: spec.location, spoke: spec.site }
              - scale: { hub: spec.timeoutMs, spoke: spec.timeoutSeconds, factor: 1000 }
              - rename: { hub: "spec.ports[].number", spoke: "spec.ports[].port" }
              - rename: { hub: status.phase, spoke: status.state }
          v1alpha1:
            spec:
              title: { type: string, rules: [required] }
              location: { type: string, rules: [required] }
              comment: string
            status:
              phase: string
              ready: { type: boolean, default: false }
            conversion:
              - rename: { hub: spec.name, spoke: spec.title }
              - map:
                  hub: status.phase
                  spoke: status.phase
                  values: { Pending: waiting, Ready: done }
                  otherwise: { hub: Pending, spoke: waiting }
      - name: Gadget
        versions:
          v1: { spec: { name: string } }
`;

/** The project above. */
export function versionedProject(changes: Partial<Pick<Project, 'validation'>> = {}): Project {
  return { ...loadProject(__dirname, YAML).project, ...changes };
}
