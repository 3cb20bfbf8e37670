import type { GroupDefinition } from '../../model/kinds/kind';
import { hasVersionId } from '../../model/versions/version-id';
import type { ServedKinds } from '../../service/served-kinds';
import { ACTIONS, typeOf } from './cloud-event';
import { textInVersion } from './event-form';
import { type LoggedEvent, matchesType } from './logged-event';

/** Returns every version of a service as `<group>/<version>`. */
export function versionsOf(groups: readonly GroupDefinition[]): string[] {
  return groups.flatMap(({ name, versions }) => versions.map((version) => `${name}/${version}`));
}

/** Returns those patterns of types that no event of a service matches. */
export function unmatchedTypes(groups: readonly GroupDefinition[], patterns: readonly string[]): string[] {
  const types = groups.flatMap(({ kinds }) =>
    Object.keys(kinds).flatMap((kind) => ACTIONS.map((action) => typeOf(kind, action))),
  );
  return patterns.filter((pattern) => !types.some((type) => matchesType(type, pattern)));
}

/** The kinds of a service, for the delivery of events. The conversions are known once the routes are mounted. */
export class KnownKinds {
  constructor(
    private readonly groups: readonly GroupDefinition[],
    private readonly served: ServedKinds,
  ) {}

  /** Returns whether a kind, `<group>/<Kind>`, has a version, `v1` or `<group>/v1`. */
  has(kind: string, version: string): boolean {
    const [group, name] = kind.split('/');
    const versions = this.#group(group)?.kinds[name] ?? [];
    return versions.some((served) => version === served || version === `${group}/${served}`);
  }

  /**
   * Returns the event with its resource in a version of the kind, or in the storage version. A resource written under
   * an earlier storage version is converted; it stays as it is when its kind is no longer served.
   */
  async inVersion(event: LoggedEvent, version?: string): Promise<LoggedEvent> {
    const [group] = event.kind.split('/');
    const wanted = version?.split('/').at(-1) ?? this.#group(group)?.storageVersion;
    if (wanted === undefined) return event;
    if (event.apiVersion === `${group}/${wanted}` && !hasVersionId(event.text)) return event;
    const kind = await this.served.find(event.kind);
    return kind === undefined ? event : event.with(textInVersion(event, kind, wanted));
  }

  #group(group: string): GroupDefinition | undefined {
    return this.groups.find(({ name }) => name === group);
  }
}
