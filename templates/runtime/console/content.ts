import type { JsonObject, Schema } from '../model/schema';

/** A column of a table of resources, as one version has it. */
export interface ConsoleColumn {
  title: string;
  /** A field of that version, such as `spec.location`. */
  path: string;
  type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** Set for a column of wide tables only. */
  wide?: true;
}

/** A field that lists can be selected by, and sorted by unless it is a list, as one version names it. */
export interface ConsoleField {
  /** Such as `spec.price`. */
  path: string;
  type: 'string' | 'integer' | 'number' | 'boolean' | 'timestamp';
  isList?: true;
}

/** The conversion of one field, or of several together: a line of CONVERSION.md. */
export interface ConsoleRule {
  /** The paths in the storage version; empty for a field that only the other version has. */
  hub: string;
  spoke: string;
  /** From the storage version to the other one, in words. */
  read: string;
  /** From the other version to the storage version, in words. */
  write: string;
}

/** The parts of a kind that only the console shows, by version. */
export interface ConsoleKind {
  description: string;
  columns: { [version: string]: ConsoleColumn[] };
  /** Absent for the storage version. */
  rules: { [version: string]: ConsoleRule[] };
  /** Absent where lists cannot be selected by fields. */
  selectable: { [version: string]: ConsoleField[] };
  /** A valid body of a create. Absent where svcgen cannot make one. */
  examples: { [version: string]: JsonObject };
}

/** The console as svcgen generates it. */
export interface ConsoleContent {
  /** The version of the API, as project.yaml has it. */
  version: string;
  /** The settings that the service has, by name, with their descriptions. */
  settings: { [name: string]: string };
  files: ConsoleFiles;
  /** By `<group>/<kind>`. */
  kinds: { [collection: string]: ConsoleKind };
}

/** The static files of the console. Their names carry digests of their texts. */
export interface ConsoleFiles {
  /** The script and the style sheet that the page loads. */
  script: string;
  style: string;
  names: readonly string[];
  /** Returns the texts by name. A process in which nobody opens the console does not load them. */
  read(): Promise<{ [name: string]: string }>;
}

/** `GET /console/service.json`: the service as the console needs to know it. It shows no stored data. */
export interface ConsoleService {
  name: string;
  /** The version of the API, as project.yaml has it. */
  version: string;
  validation: 'strict' | 'warn' | 'disabled';
  requireIfMatch: boolean;
  /** Empty where the service requires no credentials. */
  security: readonly ({ type: 'bearer' } | { type: 'apiKey'; header: string })[];
  /** Paths of other parts of the service, by name; a part that is switched off is absent. */
  links: { [name: string]: string };
  kinds: ConsoleKindSummary[];
}

/** A kind in the list of kinds. */
export interface ConsoleKindSummary {
  group: string;
  kind: string;
  plural: string;
  description: string;
  storageVersion: string;
  /** Three lowercase letters, the start of every uid. */
  uidPrefix: string;
  /** True if there are snapshots of its specs. */
  history: boolean;
  /** True if lists can be sorted by the time of the last change. */
  sorts: boolean;
  /** The storage version first. */
  versions: { version: string; stability: 'stable' | 'beta' | 'alpha'; deprecated?: string }[];
}

/** `GET /console/kinds/<plural>.json`: the fields of a kind, by version. */
export interface ConsoleKindDetails {
  versions: { [version: string]: ConsoleVersion };
}

/** A kind in one version. */
export interface ConsoleVersion {
  spec: Schema;
  status: Schema;
  /** The shared types that the two refer to, as `#/$defs/<name>`. */
  types: { [name: string]: Schema };
  columns: ConsoleColumn[];
  selectable: ConsoleField[];
  /** Absent for the storage version. */
  rules?: ConsoleRule[];
  example?: JsonObject;
}

/** `GET /console/settings.json`: the process that responds, and its settings. */
export interface ConsoleSettings {
  /** The version of Node. */
  node: string;
  uptimeSeconds: number;
  settings: ConsoleSetting[];
}

/** A setting of the service. */
export interface ConsoleSetting {
  name: string;
  description: string;
  isDefault: boolean;
  /** Absent for a setting that may be secret. */
  value?: string;
}
