import { collectionOf, type GroupDefinition, type KindDefinition } from '../kind';
import { textInVersion } from './event-form';
import type { LoggedEvent } from './logged-event';

/** The kinds of a service as those who deliver events need them; which convert is told when the routes are mounted. */
export class KnownKinds {
  readonly #told: Promise<ReadonlyMap<string, KindDefinition>>;
  #tell!: (kinds: ReadonlyMap<string, KindDefinition>) => void;

  constructor(private readonly groups: readonly GroupDefinition[]) {
    this.#told = new Promise((resolve) => (this.#tell = resolve));
  }

  /** Tells of the kinds that are served. */
  tell(kinds: readonly KindDefinition[]): void {
    this.#tell(new Map(kinds.map((kind) => [collectionOf(kind), kind])));
  }

  /** Every version as `<group>/<version>`. */
  get versions(): string[] {
    return this.groups.flatMap(({ name, versions }) => versions.map((version) => `${name}/${version}`));
  }

  /** Whether a kind, `<group>/<Kind>`, has a version, `v1` or `<group>/v1`. */
  has(kind: string, version: string): boolean {
    const [group, name] = kind.split('/');
    const versions = this.#group(group)?.kinds[name] ?? [];
    return versions.some((served) => version === served || version === `${group}/${served}`);
  }

  /**
   * The event with its resource in a version that the kind has, or in the storage version. What an earlier hub wrote
   * is converted; it stays as it is when its kind is served no more.
   */
  async inVersion(event: LoggedEvent, version?: string): Promise<LoggedEvent> {
    const [group] = event.kind.split('/');
    const wanted = version?.split('/').at(-1) ?? this.#group(group)?.storageVersion;
    if (wanted === undefined || event.apiVersion === `${group}/${wanted}`) return event;
    const kind = (await this.#told).get(event.kind);
    return kind === undefined ? event : event.with(textInVersion(event, kind, wanted));
  }

  #group(group: string): GroupDefinition | undefined {
    return this.groups.find(({ name }) => name === group);
  }
}
