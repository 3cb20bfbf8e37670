import { loadProject } from '../../../src/load/load-project';
import type { Project } from '../../../src/model/project';

/** Devices in two versions with history, columns and selectable fields, and rooms that they refer to. */
const DEVICES_AND_ROOMS = `
        description: A device of a site.
        specVersioning: true
        columns: [spec.location, { path: spec.model, wide: true }, { path: status.lastSeen, title: Seen }]
        versions:
          v1:
            spec:
              location: { type: string, rules: [required, max=20], selectable: true, description: The site. }
              model: string
              serial: { type: string, rules: [unique] }
              price: { type: number, rules: [gt=0], selectable: true }
              tier: { type: string, rules: [oneof=gold silver], default: silver }
              tags: { type: list, items: string }
              room: { type: string, ref: Room }
              parent: { type: string, ref: { kind: Device, onDelete: cascade } }
              ports: { type: list, key: name, items: { type: object, fields: {
                name: { type: string, rules: [required] }, number: { type: integer, rules: [max=65535] } } } }
            status:
              phase: { type: string, rules: [oneof=Pending Ready] }
              lastSeen: timestamp
              ready: { type: boolean, default: false }
          v2beta1:
            spec:
              site: { type: string, rules: [required, max=20] }
              model: string
              serial: { type: string, rules: [unique] }
              price: { type: number, rules: [gt=0], selectable: true }
              tier: { type: string, rules: [oneof=gold silver], default: silver }
              tags: { type: list, items: string }
              room: { type: string, ref: Room }
              parent: { type: string, ref: { kind: Device, onDelete: cascade } }
              ports: { type: list, key: name, items: { type: object, fields: {
                name: { type: string, rules: [required] }, number: { type: integer, rules: [max=65535] } } } }
              nickname: string
            status:
              phase: { type: string, rules: [oneof=Pending Ready] }
              lastSeen: timestamp
              ready: { type: boolean, default: false }
            conversion:
              - rename: { hub: spec.location, spoke: spec.site }
      - name: Room
        versions: { v1: { spec: { floor: { type: integer, rules: [min=0] } } } }
`;

/** Settings of a test for the whole project. */
type Changes = Partial<Pick<Project, 'validation' | 'requireIfMatch' | 'security'>>;

/** Returns the project of devices and rooms. */
export function deviceProject(changes: Changes = {}): Project {
  return { ...projectOf(DEVICES_AND_ROOMS), ...changes };
}

/** Returns a project for Kubernetes clients. `device` is the YAML of its first kind, after the name; other kinds may follow. */
export function projectOf(device: string, { storageVersion = 'v1', versions = 'v1, v2beta1' } = {}): Project {
  const head = `
name: device-service
events: true
kubernetes: true
groups:
  - name: example.svc.dev
    storageVersion: ${storageVersion}
    versions: [${versions}]
    kinds:
      - name: Device`;
  return loadProject(__dirname, `${head}${device}`).project;
}
