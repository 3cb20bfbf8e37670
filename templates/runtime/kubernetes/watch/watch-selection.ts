import type { FieldSelection } from '../../api/parts/event-reading';
import { hubOf } from '../../api/reads/representation';
import { isAsked, mayGet } from '../../api/request/access';
import { scopeOf } from '../../api/request/label-scope';
import { resourceTextInVersion, stateInVersion } from '../../events/log/event-form';
import type { LoggedEvent } from '../../events/log/logged-event';
import { collectionOf } from '../../model/kinds/kind';
import type { StoredText } from '../../model/kinds/versioning';
import type { Resource } from '../../model/resource';
import { matches, parseSelectors, type Requirement } from '../../model/selectors/selector';
import type { KubernetesContext } from '../face/face';
import { selectedFields } from '../objects/list-parameters';
import { nameIn } from '../objects/object';

/** The types of changes that a watch reports. */
export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** A change as a watch reports it. */
export interface WatchedChange {
  type: ChangeType;
  /** The resource as JSON text in the version of the watch. */
  text: string;
  /** The same as it was stored. */
  stored: StoredText;
}

/** The resources that one watch is about, and the changes of them that an event means. */
export class WatchSelection {
  readonly #collection: string;
  readonly #labels: Requirement[];
  readonly #fields: FieldSelection | undefined;
  /** A name of the selection, which has the same changes for everybody; undefined where each client is asked about. */
  readonly shared: string | undefined;

  /** Reads the selectors of a request. Throws HttpProblem 400. */
  constructor(private readonly context: KubernetesContext) {
    const { kind, parameters } = context;
    const selector = parseSelectors(parameters.get('labelSelector'));
    this.#collection = collectionOf(kind);
    const scope = scopeOf(context.req);
    this.#labels = [...selector, ...scope];
    this.#fields = selectedFields(context);
    const isOwn = this.#fields !== undefined || isAsked(context, 'canGet');
    this.shared = isOwn ? undefined : `${this.#collection} ${JSON.stringify([selector, scope])}`;
  }

  /** Returns whether an event is parsed to find out what it means. */
  asks({ kind }: LoggedEvent): boolean {
    return kind === this.#collection && this.shared === undefined;
  }

  /**
   * Returns the changes that an event means: none for resources outside the selection, and none that would show a state
   * that the caller may not get. A resource that leaves the selection is deleted in its last state within; so is the old
   * name of one that gets another.
   */
  async changesOf(event: LoggedEvent): Promise<WatchedChange[]> {
    if (event.kind !== this.#collection) return [];
    const { kind, urlVersion } = this.context;
    const after = resourceTextInVersion(event, kind, urlVersion);
    const { was, is } = this.#membership(event, after);
    if (!was && !is) return [];
    const { state } = event.before;
    const stored = { before: state ?? event.state, after: event.state };
    const shown = {
      before: state === undefined ? after : stateInVersion(kind, state, urlVersion),
      after,
    };
    const isRenamed = was && is && nameIn(shown.before) !== nameIn(after);
    const changes: WatchedChange[] = [];
    for (const { type, of } of changesBetween({ was, is, isRenamed }))
      if (await this.#mayShow(event, of)) changes.push({ type, text: shown[of], stored: stored[of] });
    return changes;
  }

  /** Returns whether the resource of an event was selected before it, and is now. */
  #membership(event: LoggedEvent, after: string): { was: boolean; is: boolean } {
    const labels = this.#labels;
    const inLabels = matches(event.labels, labels);
    const shown = this.#fields && (JSON.parse(after) as Resource);
    const selected = inLabels && (this.#fields?.selects(shown!) ?? true);
    if (event.type.endsWith('.deleted')) return { was: selected, is: false };
    if (event.type.endsWith('.created')) return { was: false, is: selected };
    const { labels: labelsBefore, entries } = event.before;
    const wasInLabels = labelsBefore === undefined ? inLabels : matches(labelsBefore, labels);
    const wasInFields = this.#fields?.selects(shown!, entries) ?? true;
    return { was: wasInLabels && wasInFields, is: selected };
  }

  /** Returns whether the caller may get the resource of an event as it was before or is after. */
  async #mayShow(event: LoggedEvent, of: Shown): Promise<boolean> {
    const { kind, req } = this.context;
    const state = of === 'before' ? event.before.state : undefined;
    // An event of a service that kept no states shows the one after it: that may be outside the caller's scope.
    if (state === undefined && !matches(event.labels, scopeOf(req))) return false;
    return !isAsked(this.context, 'canGet') || mayGet(this.context, hubOf(kind, state ?? event.state));
  }
}

/** The state that a change shows: that before its event, or after. */
type Shown = 'before' | 'after';

interface Membership {
  was: boolean;
  is: boolean;
  isRenamed: boolean;
}

function changesBetween({ was, is, isRenamed }: Membership): { type: ChangeType; of: Shown }[] {
  if (isRenamed)
    return [
      { type: 'DELETED', of: 'before' },
      { type: 'ADDED', of: 'after' },
    ];
  if (!is) return [{ type: 'DELETED', of: 'before' }];
  return [{ type: was ? 'MODIFIED' : 'ADDED', of: 'after' }];
}
