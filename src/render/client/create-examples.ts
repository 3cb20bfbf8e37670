import type { Group, Json, Kind, Project, SecurityScheme } from '../../model/project';
import { escapeUnseen } from '../../model/quoted';
import { withArticle } from '../../openapi/components';
import { exampleName, exampleUid } from '../../openapi/kind-example';
import { kindPath } from '../../plan/planned-project';
import { type Creatable, creatable, withMember } from '../kinds/creatable';
import { curlCredential } from './credentials';

/** A request that creates a resource of a kind. */
export interface CreateExample {
  kind: string;
  plural: string;
  /** The version of the body. */
  version: string;
  group: string;
  /** `<group>/<kind>`, where its files are. */
  path: string;
  /** The versions that the kind has, for people. */
  versions: string;
  /** Undefined where no spec is found that keeps every rule. */
  body: { [name: string]: Json } | undefined;
  /** Names the parts of the body that people replace by uids from the service; empty where there are none. */
  placeholders: string;
}

/**
 * An example of a request body for each kind, in its storage version: a kind comes after those that it needs, whose examples
 * it refers to by name.
 */
export function createExamples(project: Project): CreateExample[] {
  return project.groups.flatMap((group) => {
    const examples = new Map<string, CreateExample>();
    const add = (kind: Kind): void => {
      if (examples.has(kind.name)) return;
      const made = creatable(group, kind, group.kinds);
      for (const { kind: target } of made?.references ?? [])
        if (target !== kind.name) add(group.kinds.find(({ name }) => name === target)!);
      examples.set(kind.name, createExample(group, kind, made));
    };
    group.kinds.forEach(add);
    return [...examples.values()];
  });
}

function createExample(group: Group, kind: Kind, made: Creatable | undefined): CreateExample {
  const metadata = { name: exampleName(kind) };
  const references = made?.references ?? [];
  let spec = made?.spec;
  const unknown = new Set<Kind>();
  for (const { path, isList, name, kind: needed } of references) {
    const target = group.kinds.find((each) => each.name === needed)!;
    if (name === undefined && !target.uniqueNames) unknown.add(target);
    const value = name ?? (target.uniqueNames ? exampleName(target) : exampleUid(target));
    spec = spec && withMember(spec, path, isList ? [value] : value);
  }
  return {
    kind: kind.name,
    plural: kind.plural,
    version: group.storageVersion,
    group: group.name,
    path: kindPath({ group, kind }),
    versions: kind.versions.map(({ version }) => version).join(', '),
    body: spec === undefined ? undefined : { metadata, spec },
    placeholders: [...unknown]
      .map((target) => `the uid of ${withArticle(target.name)} for \`${exampleUid(target)}\``)
      .join(', '),
  };
}

/** Returns the shell command that creates it. It takes the credential from the variable TOKEN or API_KEY. */
export function curlLine({ plural, body }: CreateExample, security: SecurityScheme[]): string {
  const credential = curlCredential(security);
  if (body === undefined) return `curl${credential} localhost:8080/${plural}`;
  const json = escapeUnseen(JSON.stringify(body)).replaceAll("'", "'\\''");
  return `curl${credential} -X POST localhost:8080/${plural} -H 'Content-Type: application/json' \\\n  -d '${json}'`;
}
