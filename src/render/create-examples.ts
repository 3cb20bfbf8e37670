import { versionSchemas } from '../json-schema';
import { kindPath } from './kind-files';
import { escapeUnseen } from './literal';
import type { Json, Project } from '../model';
import { exampleOf } from '../openapi/example';

/** What creates a resource of a kind. */
export interface CreateExample {
  kind: string;
  plural: string;
  /** `<group>/<kind>`, where its files are. */
  path: string;
  /** The versions that the kind has, for people. */
  versions: string;
  /** Undefined where no spec is found that keeps every rule. */
  body: { [name: string]: Json } | undefined;
}

/** An example of a request body for each kind, in its storage version. */
export function createExamples(project: Project): CreateExample[] {
  return project.groups.flatMap((group) =>
    group.kinds.map((kind) => {
      const version = kind.versions.find(({ version }) => version === group.storageVersion)!;
      const { spec, types } = versionSchemas(group, kind, version);
      const example = exampleOf(spec, '', { types, depth: 0 });
      const metadata = { name: `my-${kind.name.toLowerCase()}` };
      return {
        kind: kind.name,
        plural: kind.plural,
        path: kindPath({ group, kind }),
        versions: kind.versions.map(({ version }) => version).join(', '),
        body: example === undefined ? undefined : { metadata, spec: example },
      };
    }),
  );
}

/** The shell command that creates it. */
export function curlLine({ plural, body }: CreateExample): string {
  if (body === undefined) return `curl localhost:8080/${plural}`;
  const json = escapeUnseen(JSON.stringify(body)).replaceAll("'", "'\\''");
  return `curl -X POST localhost:8080/${plural} -H 'Content-Type: application/json' \\\n  -d '${json}'`;
}
