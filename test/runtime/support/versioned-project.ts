import { loadProject } from '../../../src/load/load-project';
import type { Project } from '../../../src/model/project';

/**
 * Devices in three versions: renames, a scale, fields of one version alone, rules that are stricter or looser than the
 * hub's, a list with a key. Gadgets exist in the hub alone.
 */
const yaml = (rules: { [version: string]: string }, hub: string): string => `
name: versioned-service
events: true
groups:
  - name: example.svc.dev
    storageVersion: ${hub}
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
              serial: string
              ports: { type: list, key: name, items: { type: object, fields: {
                name: { type: string, rules: [required] }, number: { type: integer, rules: [max=65535] } } } }
              config: { type: map, values: string }
            status:
              phase: { type: string, rules: [oneof=Pending Ready] }
              health: string
              ready: { type: boolean, default: false }
${rules.v1}          v2beta1:
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
${rules.v2beta1}          v1alpha1:
            spec:
              title: { type: string, rules: [required] }
              location: { type: string, rules: [required] }
              comment: string
            status:
              phase: string
              ready: { type: boolean, default: false }
${rules.v1alpha1}      - name: Gadget
        versions:
          ${hub}: { spec: { name: string } }
`;

/** The rules below each hub: the hub was moved from v1 to v2beta1, those of the former inverted and composed. */
const RULES: { [hub: string]: { [version: string]: string } } = {
  v1: {
    v1: '',
    v2beta1: `\
            conversion:
              - rename: { hub: spec.location, spoke: spec.site }
              - scale: { hub: spec.timeoutMs, spoke: spec.timeoutSeconds, factor: 1000 }
              - rename: { hub: "spec.ports[].number", spoke: "spec.ports[].port" }
              - rename: { hub: status.phase, spoke: status.state }
`,
    v1alpha1: `\
            conversion:
              - rename: { hub: spec.name, spoke: spec.title }
              - map:
                  hub: status.phase
                  spoke: status.phase
                  values: { Pending: waiting, Ready: done }
                  otherwise: { hub: Pending, spoke: waiting }
`,
  },
  v2beta1: {
    v1: `\
            conversion:
              - rename: { hub: spec.site, spoke: spec.location }
              - scale: { hub: spec.timeoutSeconds, spoke: spec.timeoutMs, factor: 0.001 }
              - rename: { hub: "spec.ports[].port", spoke: "spec.ports[].number" }
              - rename: { hub: status.state, spoke: status.phase }
`,
    v2beta1: '',
    v1alpha1: `\
            conversion:
              - rename: { hub: spec.site, spoke: spec.location }
              - rename: { hub: spec.name, spoke: spec.title }
              - map:
                  hub: status.state
                  spoke: status.phase
                  values: { Pending: waiting, Ready: done }
                  otherwise: { hub: Pending, spoke: waiting }
`,
  },
};

/** The text of the project above, with one of its versions as the storage version: v1, or v2beta1. */
export function versionedText(hub = 'v1'): string {
  return yaml(RULES[hub], hub);
}

/** The project above. */
export function versionedProject(hub = 'v1'): Project {
  return loadProject(__dirname, versionedText(hub)).project;
}
