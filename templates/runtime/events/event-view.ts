import type { Request } from 'express';
import { acceptedVersion } from '../accept';
import { authorise, isAsked } from '../access';
import { collectionOf, type KindDefinition } from '../kind';
import { HttpProblem } from '../problem';
import type { Query } from '../query';
import { scopeOf } from '../scope';
import { checkSelectorSize, matches, parseLabel, parseSelector, type Requirement } from '../selector';
import { textInVersion } from './event-form';
import { matchesType, type LoggedEvent } from './logged-event';

/** What every view is made of, beside the version of `Accept`. */
const FILTERS = ['type', 'kind', 'labelSelector', 'label', 'version'];

/** The parameters of a query that are neither filters nor among others that are known. */
export function unknownIn(query: Query, known: readonly string[]): string[] {
  return [...query.keys()].filter((name) => ![...FILTERS, ...known].includes(name));
}

/** What a client asks for. */
interface Wish {
  /** Patterns of types; empty for all. */
  types: readonly string[];
  selector: Requirement[];
}

/** A kind, and the version in which the client sees it. */
interface Shown {
  kind: KindDefinition;
  version: string;
}

/**
 * The events that one client wants and may see: those of the kinds that it may list, with the labels that it asks
 * for and is confined to, in the version that it speaks.
 */
export class EventView {
  private constructor(
    private readonly req: Request,
    /** By `<group>/<Kind>`. */
    private readonly kinds: ReadonlyMap<string, Shown>,
    private readonly wish: Wish,
  ) {}

  /**
   * Reads `type`, `kind`, `labelSelector`, `label` and `version` of a query and the version of `Accept`, and asks
   * the policies of the kinds. Throws HttpProblem 400, 403 and 406.
   */
  static async of(kinds: KindDefinition[], req: Request, query: Query): Promise<EventView> {
    const selector = [
      ...(query.get('labelSelector') ?? []).flatMap(parseSelector),
      ...(query.get('label') ?? []).map(parseLabel),
    ];
    checkSelectorSize(selector);
    const types = query.get('type') ?? [];
    if (types.includes(''))
      throw new HttpProblem(400, 'The query parameter "type" must be a type, such as io.svc.device.*.');
    const asked = query.get('kind') ?? [];
    const [version] = query.get('version') ?? [];
    const wanted = inVersion(namedKinds(kinds, asked), version, req.headers.accept);
    const allowed = await listable(wanted, req, asked.length > 0);
    const byName = new Map(allowed.map((shown) => [collectionOf(shown.kind), shown]));
    return new EventView(req, byName, { types, selector });
  }

  /** Whether the client is shown the event. */
  async shows(event: LoggedEvent): Promise<boolean> {
    const shown = this.kinds.get(event.kind);
    const { types } = this.wish;
    if (shown === undefined) return false;
    if (types.length > 0 && !types.some((pattern) => matchesType(event.type, pattern))) return false;
    if (!this.#selects(event)) return false;
    return !isAsked({ kind: shown.kind }, 'canGet') || this.#mayGet(shown.kind, event);
  }

  /** The event as JSON text, its resource in the version of the client. Only for events that are shown. */
  text(event: LoggedEvent): string {
    const { kind, version } = this.kinds.get(event.kind)!;
    return textInVersion(event, kind, version);
  }

  /** A write that takes a resource out of the selection is shown too; what is outside of the scope never is. */
  #selects(event: LoggedEvent): boolean {
    const { selector } = this.wish;
    const scope = scopeOf(this.req);
    if (scope.length > 0 && !matches(event.labels, scope)) return false;
    if (selector.length === 0 || matches(event.labels, selector)) return true;
    const { labelsBefore } = event;
    return labelsBefore !== undefined && matches(labelsBefore, [...scope, ...selector]);
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

/** The kinds in the version that the client names, in the query or else in `Accept`; those without it are left out. */
function inVersion(
  kinds: KindDefinition[],
  version: string | undefined,
  accept: string | undefined,
): Shown[] {
  const choose = (kind: KindDefinition): string | undefined =>
    version === undefined
      ? acceptedVersion(asJson(accept), kind.group, kind.servedVersions)
      : kind.servedVersions.find((served) => version === served || version === `${kind.group}/${served}`);
  const found = kinds.flatMap((kind) => {
    const chosen = choose(kind);
    return chosen === undefined ? [] : [{ kind, version: chosen }];
  });
  if (found.length > 0 || kinds.length === 0) return found;
  const names = kinds.flatMap(({ group, servedVersions }) =>
    servedVersions.map((served) => `${group}/${served}`),
  );
  const asked = version ?? `Accept: ${accept}`;
  throw new HttpProblem(
    406,
    `The version ${JSON.stringify(asked.slice(0, 200))} is not registered; there are: ${[...new Set(names)].join(', ')}.`,
  );
}

/** A client that accepts the stream names the version of what is in it there. */
function asJson(accept: string | undefined): string | undefined {
  return accept?.replace(/\btext\/event-stream\b/gi, 'application/json');
}

/** The kinds that the client may list. Throws HttpProblem 403 for one that it named, and when none is left. */
async function listable(kinds: Shown[], req: Request, named: boolean): Promise<Shown[]> {
  const allowed: Shown[] = [];
  for (const [index, shown] of kinds.entries()) {
    try {
      await authorise({ kind: shown.kind, req }, 'canList');
      allowed.push(shown);
    } catch (error) {
      const isLast = index === kinds.length - 1;
      if (!(error instanceof HttpProblem) || named || (isLast && allowed.length === 0)) throw error;
    }
  }
  return allowed;
}
