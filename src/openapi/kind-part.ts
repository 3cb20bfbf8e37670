import type { Group, Kind, Project } from '../model';
import { reached, type Components, type JsonObject } from './document';
import { kindComponents } from './kind-components';
import { kindPaths } from './kind-paths';
import { typeNames } from './kind-schemas';

/** A kind, and what the document gives it that other kinds might have taken. */
export interface DocumentedKind {
  group: Group;
  kind: Kind;
  operationIds: string[];
  tag: string;
}

/** What a kind has in the document. It follows from the kind, its group and the settings of the project alone. */
export interface KindPart {
  paths: JsonObject;
  /** Those of its own that its paths lead to. */
  components: Components;
  /** The names of the shared types that it uses. */
  types: string[];
  /** What else it refers to: `#/components/parameters/uid`. */
  references: string[];
}

/** The part of a kind. Of `settings` the groups are not looked at. */
export function kindPart(settings: Project, { group, kind, operationIds, tag }: DocumentedKind): KindPart {
  const paths = kindPaths(settings, group, kind, operationIds, tag);
  const { components, others } = reached(paths, kindComponents(settings, group, kind));
  const types = typeNames(group, kind);
  const isShared = (reference: string): boolean => !types.includes(reference.split('/')[3]!);
  return { paths, components, types, references: others.filter(isShared) };
}
