import { loadProject } from '../../../src/load/load-project';
import type { Project } from '../../../src/model/project';

/** The kinds of the specification, and `Thing` with every type and rule; one version. */
const YAML = `
name: test-service
groups:
  - name: example.svc.dev
    types:
      Condition:
        type: { type: string, rules: [required] }
        status: { type: string, rules: [oneof=True False Unknown] }
        reason: string
        message: string
      Node:
        label: { type: string, rules: [required] }
        children: { type: list, items: Node }
    kinds:
      - name: Device
        specVersioning: true
        versions:
          v1:
            spec:
              name: { type: string, rules: [required] }
              location: { type: string, rules: [required] }
              model: string
              config: { type: map, values: string }
            status:
              phase: { type: string, rules: [oneof=Pending Ready Offline Error] }
              health: { type: string, rules: [oneof=Healthy Degraded Unhealthy] }
              message: string
              lastSeen: timestamp
              conditions: { type: list, items: Condition, key: type }
              ready: { type: boolean, default: false }
      - name: Product
        specVersioning: { keep: 3 }
        versions:
          v1:
            spec:
              name: { type: string, rules: [required, min=1, max=100] }
              description: { type: string, rules: [max=200] }
              price: { type: number, rules: [min=0] }
              inStock: boolean
            status: { phase: string, message: string, ready: { type: boolean, default: false } }
      - name: Book
        versions:
          v1:
            spec:
              title: { type: string, rules: [required, min=1, max=200] }
              author: { type: string, rules: [required, min=1, max=100] }
              description: { type: string, rules: [max=500] }
              price: { type: number, rules: [min=0] }
              inStock: boolean
            status: { phase: string, message: string, ready: { type: boolean, default: false } }
      - name: Thing
        columns:
          - spec.flag
          - { path: spec.at, title: since }
          - spec.words
          - spec.tree.label
          - { path: spec.any, wide: true }
        versions:
          v1:
            spec:
              any: any
              text: { type: string, rules: [min=2, max=5] }
              count: { type: integer, rules: [min=0, max=10] }
              ratio: { type: number, rules: [gt=0, lt=1] }
              flag: { type: boolean, default: true }
              at: timestamp
              mail: { type: string, rules: [email] }
              site: { type: string, rules: [url] }
              address: { type: string, rules: [ip] }
              color: { type: string, rules: [oneof=red green] }
              level: { type: integer, rules: [oneof=1 2] }
              code: { type: string, rules: ['pattern=^[A-Z]{3}$'] }
              words: { type: list, items: { type: string, rules: [min=1] }, rules: [max=3] }
              limits: { type: map, values: { type: integer, rules: [min=0] } }
              box: { type: object, fields: { width: { type: number, rules: [required] } } }
              tree: Node
              conditions: { type: list, items: Condition, key: type }
            status:
              any: any
              phase: string
`;

/** Options of a test for the whole project. */
type Changes = Partial<Pick<Project, 'validation' | 'requireIfMatch' | 'cacheControl'>>;

/** Devices with history, Products with three snapshots, Books without, Things of every type. */
export function testProject(changes: Changes = {}): Project {
  return { ...loadProject(__dirname, YAML).project, ...changes };
}
