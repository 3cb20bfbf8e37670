import type { Request } from 'express';
import { authorise, isAsked } from '../access';
import type { KindDefinition } from '../kind';
import { HttpProblem } from '../problem';
import type { Query } from '../query';
import { represent } from '../representation';
import type { JsonObject } from '../schema';
import type { Resource } from '../resource';
import { scopeOf } from '../scope';
import { checkSelectorSize, matches, parseLabel, parseSelector, type Requirement } from '../selector';
import { matchesType, type LoggedEvent } from './logged-event';

/** What a client asks for. */
interface Wish {
  /** Patterns of types; empty for all. */
  types: readonly string[];
  selector: Requirement[];
  /** `v1` or `<group>/v1`; undefined for the storage version. */
  version: string | undefined;
}

/**
 * The events that one client wants and may see: those of the kinds that it may list, with the labels that it asks
 * for and is confined to, in the version that it speaks.
 */
export class EventView {
  private constructor(
    private readonly req: Request,
    /** By `<group>/<Kind>`. */
    private readonly kinds: ReadonlyMap<string, KindDefinition>,
    private readonly wish: Wish,
  ) {}

  /**
   * Reads `type`, `kind`, `labelSelector`, `label` and `version` of a query, and asks the policies of the kinds.
   * Throws HttpProblem 400, 403 and 406.
   */
  static async of(kinds: KindDefinition[], req: Request, query: Query): Promise<EventView> {
    const selector = [
      ...(query.get('labelSelector') ?? []).flatMap(parseSelector),
      ...(query.get('label') ?? []).map(parseLabel),
    ];
    checkSelectorSize(selector);
    selector.push(...scopeOf(req));
    const [version] = query.get('version') ?? [];
    const asked = query.get('kind') ?? [];
    const wanted = inVersion(namedKinds(kinds, asked), version);
    const allowed = await listable(wanted, req, asked.length > 0);
    const byName = new Map(allowed.map((kind) => [`${kind.group}/${kind.kind}`, kind]));
    return new EventView(req, byName, { types: query.get('type') ?? [], selector, version });
  }

  /** Whether the client is shown the event. */
  async shows(event: LoggedEvent): Promise<boolean> {
    const kind = this.kinds.get(event.kind);
    const { types, selector } = this.wish;
    if (kind === undefined) return false;
    if (types.length > 0 && !types.some((pattern) => matchesType(event.type, pattern))) return false;
    if (selector.length > 0 && !matches(event.labels, selector)) return false;
    return !isAsked({ kind }, 'canGet') || this.#mayGet(kind, event);
  }

  /** The event as JSON text, its resource in the version of the client. Only for events that are shown. */
  text(event: LoggedEvent): string {
    const kind = this.kinds.get(event.kind)!;
    const version = this.wish.version?.split('/').at(-1) ?? kind.storageVersion;
    return event.once(version, () => inResourceVersion(event, kind, version));
  }

  async #mayGet(kind: KindDefinition, event: LoggedEvent): Promise<boolean> {
    try {
      await authorise({ kind, req: this.req }, 'canGet', event.parse().data.resource);
      return true;
    } catch (error) {
      if (error instanceof HttpProblem) return false;
      throw error;
    }
  }
}

function namedKinds(kinds: KindDefinition[], names: readonly string[]): KindDefinition[] {
  if (names.length === 0) return kinds;
  return names.flatMap((name) => {
    const found = kinds.filter(({ group, kind }) => name === kind || name === `${group}/${kind}`);
    if (found.length === 0) {
      const known = kinds.map(({ kind }) => kind).join(', ');
      throw new HttpProblem(
        400,
        `There is no kind ${JSON.stringify(name.slice(0, 64))}; there are: ${known}.`,
      );
    }
    return found;
  });
}

/** The kinds that a version has. */
function inVersion(kinds: KindDefinition[], version: string | undefined): KindDefinition[] {
  if (version === undefined) return kinds;
  const names = ({ group, servedVersions }: KindDefinition): string[] =>
    servedVersions.flatMap((served) => [served, `${group}/${served}`]);
  const found = kinds.filter((kind) => names(kind).includes(version));
  if (found.length > 0) return found;
  const known = [...new Set(kinds.flatMap(names))].filter((name) => name.includes('/')).join(', ');
  throw new HttpProblem(
    406,
    `The version ${JSON.stringify(version.slice(0, 64))} is not registered; there are: ${known}.`,
  );
}

/** The kinds that the client may list. Throws HttpProblem 403 for one that it named, and when none is left. */
async function listable(kinds: KindDefinition[], req: Request, named: boolean): Promise<KindDefinition[]> {
  const allowed: KindDefinition[] = [];
  for (const [index, kind] of kinds.entries()) {
    try {
      await authorise({ kind, req }, 'canList');
      allowed.push(kind);
    } catch (error) {
      const isLast = index === kinds.length - 1;
      if (!(error instanceof HttpProblem) || named || (isLast && allowed.length === 0)) throw error;
    }
  }
  return allowed;
}

/** The event with its resource in `version`: the stored text where it is in this version already. */
function inResourceVersion(event: LoggedEvent, kind: KindDefinition, version: string): string {
  // Within a string every quote is escaped: this can be nothing but the resource's own apiVersion.
  if (event.text.includes(`"resource":{"apiVersion":"${kind.group}/${version}"`)) return event.text;
  const whole = event.parse();
  const { resource } = whole.data;
  const stored = {
    uid: event.uid,
    version: resource.apiVersion.split('/').at(-1)!,
    text: JSON.stringify(resource),
    etag: '',
    kept: event.kept,
  };
  whole.data.resource = JSON.parse(represent(kind, stored, version).text) as Resource<JsonObject, JsonObject>;
  return JSON.stringify(whole);
}
