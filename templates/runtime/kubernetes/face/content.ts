/** A column of a table of resources, as one version has it. */
export interface ContentColumn {
  title: string;
  /** A field of that version, such as `spec.location`. */
  path: string;
  type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** Set for a column of wide tables only. */
  wide?: true;
}

/** The parts of a kind that only Kubernetes clients see. */
export interface KindContent {
  /** Empty for none. */
  description: string;
  /** By version. */
  columns: { [version: string]: readonly ContentColumn[] };
}

/** The kinds as svcgen generates them for Kubernetes clients. */
export interface KubernetesContent {
  /** By `<group>/<Kind>`. */
  kinds: { [collection: string]: KindContent };
}
