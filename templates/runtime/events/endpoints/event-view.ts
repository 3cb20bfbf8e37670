import type { Request } from 'express';
import { type FieldSelection, fieldSelectionOf } from '../../api/parts/event-reading';
import { authorise, isAsked, mayGet } from '../../api/request/access';
import { scopeOf } from '../../api/request/label-scope';
import { acceptedVersion, askedVersions } from '../../http/headers/accept';
import { type Query, selectorIn } from '../../http/request/query';
import { collectionOf, type KindDefinition } from '../../model/kinds/kind';
import { HttpProblem } from '../../model/problem';
import type { Resource } from '../../model/resource';
import { matches, type Requirement } from '../../model/selectors/selector';
import type { Service } from '../../service/service';
import type { MaybePromise } from '../../store/store';
import type { StoredResourceEvent } from '../log/cloud-event';
import { textInVersion, textOfLeaving } from '../log/event-form';
import { type LoggedEvent, matchesType } from '../log/logged-event';

/** Parameters that select the events of a view, besides the version of `Accept`. */
const FILTERS = ['type', 'kind', 'labelSelector', 'label', 'fieldSelector', 'version'];

/** Returns the parameters of a query that are neither filters nor in `known`. */
export function unknownIn(query: Query, known: readonly string[]): string[] {
  return [...query.keys()].filter((name) => ![...FILTERS, ...known].includes(name));
}

/** The selection that a client asks for. */
interface Wish {
  /** Patterns of types; empty for all. */
  types: readonly string[];
  selector: Requirement[];
  /** The selection by fields, of the only kind. */
  fields?: FieldSelection;
}

/** The relation of a resource to what a client selects, after a write: within it, or out of it since the write. */
type Membership = 'selected' | 'left';

/** A kind, and the version in which the client sees it. */
interface Shown {
  kind: KindDefinition;
  version: string;
}

/**
 * The events that one client selects and may see: those of the kinds that it may list, within its label selector and
 * scope, in the version that it speaks.
 */
export class EventView {
  private constructor(
    private readonly req: Request,
    /** By `<group>/<Kind>`. */
    private readonly kinds: ReadonlyMap<string, Shown>,
    private readonly wish: Wish,
  ) {}

  /**
   * Reads `type`, `kind`, `labelSelector`, `label`, `fieldSelector` and `version` of a query and the version of `Accept`, and
   * asks the policies of the kinds. Throws HttpProblem 400, 403 and 406.
   */
  static ofEvents({ service, kinds }: Viewed, req: Request, query: Query): Promise<EventView> {
    return EventView.#of({ service, kinds }, req, query, (kind) => authorise({ kind, req }, 'canList'));
  }

  /** Reads the same for dead letters, which need a separate permission. Throws HttpProblem 400, 403 and 406. */
  static ofDeadLetters({ service, kinds }: Viewed, req: Request, query: Query): Promise<EventView> {
    return EventView.#of({ service, kinds }, req, query, async (kind) => {
      await authoriseDeadLetters({ kind, req }, kinds);
      await authorise({ kind, req }, 'canList');
    });
  }

  static async #of(
    { service, kinds }: Viewed,
    req: Request,
    query: Query,
    authoriseKind: (kind: KindDefinition) => MaybePromise<void>,
  ): Promise<EventView> {
    const selector = selectorIn(query);
    const types = query.get('type') ?? [];
    if (types.includes(''))
      throw new HttpProblem(400, 'The query parameter "type" must be a type, such as io.svc.device.*.');
    const asked = query.get('kind') ?? [];
    const [version] = query.get('version') ?? [];
    const named = namedKinds(kinds, asked);
    const wanted = inVersion(named, version, req.headers.accept);
    const fields = selectionIn(service, named, wanted, query);
    const allowed = await permitted(wanted, authoriseKind, asked.length > 0);
    const byName = new Map(allowed.map((shown) => [collectionOf(shown.kind), shown]));
    return new EventView(req, byName, { types, selector, fields });
  }

  /** Returns whether the event is parsed to find out whether the client sees it. */
  asks({ kind }: LoggedEvent): boolean {
    const shown = this.kinds.get(kind);
    return shown !== undefined && (this.wish.fields !== undefined || isAsked(shown, 'canGet'));
  }

  /** Returns how an event comes to be seen by the client; undefined for one that is not. */
  async shows(event: LoggedEvent): Promise<Membership | undefined> {
    const shown = this.kinds.get(event.kind);
    const { types } = this.wish;
    if (shown === undefined) return undefined;
    if (types.length > 0 && !types.some((pattern) => matchesType(event.type, pattern))) return undefined;
    const membership = this.#membership(event);
    const { kind } = shown;
    if (membership === undefined || !isAsked({ kind }, 'canGet')) return membership;
    const { resource } = event.parse().data;
    return (await mayGet({ kind, req: this.req }, resource)) ? membership : undefined;
  }

  /**
   * Returns the event as JSON text, its resource in the version of the client. Call it only for events that the client
   * may see.
   */
  text(event: LoggedEvent, membership: Membership = 'selected'): string {
    const { kind, version } = this.kinds.get(event.kind)!;
    const text = textInVersion(event, kind, version);
    return membership === 'left' ? textOfLeaving(event, text, version) : text;
  }

  /** A write that takes a resource out of the selection is shown too; a resource outside the scope never is. */
  #membership(event: LoggedEvent): Membership | undefined {
    const { selector, fields } = this.wish;
    const scope = scopeOf(this.req);
    if (scope.length > 0 && !matches(event.labels, scope)) return undefined;
    const shown = fields && this.#shown(event);
    if (fields !== undefined && shown === undefined) return undefined;
    const inLabels = selector.length === 0 || matches(event.labels, selector);
    if (inLabels && (fields === undefined || fields.selects(shown!))) return 'selected';
    const { labels, entries } = event.before;
    if (labels === undefined && entries === undefined) return undefined;
    if (!matches(labels ?? event.labels, [...scope, ...selector])) return undefined;
    return fields === undefined || fields.selects(shown!, entries) ? 'left' : undefined;
  }

  /** Returns the resource in the version of the client; undefined where it cannot be converted. */
  #shown(event: LoggedEvent): Resource | undefined {
    const { kind, version } = this.kinds.get(event.kind)!;
    const { resource } = (JSON.parse(this.text(event)) as StoredResourceEvent).data;
    return resource.apiVersion === `${kind.group}/${version}` ? resource : undefined;
  }
}

/** The kinds of a service, whose events are viewed. */
interface Viewed {
  service: Pick<Service, 'data'>;
  kinds: KindDefinition[];
}

/** Returns the selection by the fields of the only kind; undefined without one. Throws HttpProblem 400. */
function selectionIn(
  service: Pick<Service, 'data'>,
  named: readonly KindDefinition[],
  [shown]: readonly Shown[],
  query: Query,
): FieldSelection | undefined {
  const selectors = query.get('fieldSelector');
  if (selectors === undefined) return undefined;
  if ((query.get('kind') ?? []).length !== 1 || named.length !== 1)
    throw new HttpProblem(400, 'The query parameter "fieldSelector" needs exactly one "kind".');
  return fieldSelectionOf(service, shown.kind, shown.version, selectors);
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

/** Returns the kinds in the version that the query names, or else `Accept`; kinds without it are left out. */
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
  const asked = version ?? askedVersions(asJson(accept));
  throw new HttpProblem(
    406,
    `The version ${JSON.stringify(asked.slice(0, 200))} is not registered; there are: ${[...new Set(names)].join(', ')}.`,
  );
}

/** Returns the Accept header of the stream's content: a client that accepts the stream names its version there. */
function asJson(accept: string | undefined): string | undefined {
  return accept?.replace(/\btext\/event-stream\b/gi, 'application/json');
}

/** Returns the kinds that `authoriseKind` allows. Throws HttpProblem 403 for one that the client named, and when none is left. */
async function permitted(
  kinds: Shown[],
  authoriseKind: (kind: KindDefinition) => MaybePromise<void>,
  named: boolean,
): Promise<Shown[]> {
  const allowed: Shown[] = [];
  for (const [index, shown] of kinds.entries()) {
    try {
      await authoriseKind(shown.kind);
      allowed.push(shown);
    } catch (error) {
      const isLast = index === kinds.length - 1;
      if (!(error instanceof HttpProblem) || named || (isLast && allowed.length === 0)) throw error;
    }
  }
  return allowed;
}

/**
 * Asks for the permission to list and resend the dead letters of a kind. It is not among what everybody may do: once
 * any of the service's kinds has a policy, the kind's own must grant it. Throws HttpProblem 403.
 */
async function authoriseDeadLetters(
  asked: { kind: KindDefinition; req: Request },
  kinds: readonly KindDefinition[],
): Promise<void> {
  if (kinds.every(({ hooks }) => hooks.policy === undefined)) return;
  if (!isAsked(asked, 'canManageDeadLetters'))
    throw new HttpProblem(403, `Forbidden: no policy of ${asked.kind.kind} grants canManageDeadLetters`);
  await authorise(asked, 'canManageDeadLetters');
}
