import type { EntriesBefore } from '../../api/parts/event-reading';
import { same } from '../../model/fields/values';
import type { StoredText } from '../../model/kinds/versioning';
import type { Labels } from '../../model/selectors/selector';
import type { Change } from '../../service/feature';
import type { Service } from '../../service/service';
import type { DeadLetter, Position, StoredEvent } from '../../store/events/event-log';
import type { NewEvent } from '../../store/store';
import { eventOf, originOf, type StoredResourceEvent } from './cloud-event';

/** An event of the log. Readers share it, so that every form is derived from its text once. */
export class LoggedEvent {
  readonly position: Position;
  /** A position from which it is the next event; a dead letter has none. */
  readonly after: Position | undefined;
  readonly type: string;
  /** `<group>/<Kind>` */
  readonly kind: string;
  readonly uid: string;
  /** Milliseconds since 1970. */
  readonly writtenAt: number;
  /** The whole CloudEvent as JSON text, without line breaks. */
  readonly text: string;
  /** Data stored next to the text, as JSON text; null for none. */
  readonly kept: string | null;
  #labels: Labels | undefined;
  #state: StoredText | undefined;
  #apiVersion: string | undefined;
  #extra: Extras | undefined;
  readonly #forms = new Map<string, string>();
  readonly #messages = new Map<string, Buffer>();

  /** `grow` is called with the size of each form that the event keeps. */
  constructor(
    { position, after, type, kind, uid, writtenAt, text, kept }: StoredEvent & { after?: Position },
    private readonly grow: (bytes: number) => void = () => undefined,
  ) {
    this.position = position;
    this.after = after;
    this.type = type;
    this.kind = kind;
    this.uid = uid;
    this.writtenAt = writtenAt;
    this.text = text;
    this.kept = kept;
  }

  /** The event of a dead letter. */
  static ofLetter(letter: DeadLetter): LoggedEvent {
    const { type, data } = JSON.parse(letter.text) as StoredResourceEvent;
    return new LoggedEvent({ ...letter, type, uid: data.resourceUID, writtenAt: letter.failedAt });
  }

  /** Labels of the resource in this event. */
  get labels(): Labels {
    return (this.#labels ??= this.parse().data.resource.metadata.labels ?? {});
  }

  /** The parts of the state before the write that it changed. */
  get before(): StateBefore {
    return this.#extras.before;
  }

  /** The resource after the write, as it was written; the last state of a deleted one. */
  get state(): StoredText {
    return (this.#state ??= this.#readState());
  }

  /** The `apiVersion` of its resource. */
  get apiVersion(): string {
    return (this.#apiVersion ??= this.#readApiVersion());
  }

  #readState(): StoredText {
    // Quotes within strings are escaped, and nothing else follows the metadata of the event.
    const start = this.text.indexOf(RESOURCE) + RESOURCE.length;
    const text = this.text.slice(start, this.text.lastIndexOf(',"metadata":{"updatedAt":"'));
    return { version: this.apiVersion.split('/').at(-1)!, text, kept: this.#extras.preserved };
  }

  #readApiVersion(): string {
    // Quotes within strings are escaped, so that this can be nothing else.
    const at = this.text.indexOf(RESOURCE);
    const [, apiVersion] = /^"resource":\{"apiVersion":"([^"\\]*)"/.exec(this.text.slice(at, at + 400)) ?? [];
    return apiVersion ?? this.parse().data.resource.apiVersion;
  }

  get #extras(): Extras {
    return (this.#extra ??= this.#readExtras());
  }

  #readExtras(): Extras {
    if (this.kept === null || !BEFORE.some((member) => this.kept!.includes(member)))
      return { preserved: this.kept, before: {} };
    const {
      [LABELS_BEFORE]: labels,
      [ENTRIES_BEFORE]: entries,
      [STATE_BEFORE]: state,
      ...preserved
    } = JSON.parse(this.kept) as {
      [LABELS_BEFORE]?: Labels;
      [ENTRIES_BEFORE]?: StateBefore['entries'];
      [STATE_BEFORE]?: StoredText;
    };
    const rest = Object.keys(preserved).length > 0 ? JSON.stringify(preserved) : null;
    return { preserved: rest, before: { labels, entries, state } };
  }

  /** Returns the same event with another text. */
  with(text: string): LoggedEvent {
    return text === this.text ? this : new LoggedEvent({ ...this, text }, this.grow);
  }

  /** Returns a form of the event, made at most once and cached with the event. */
  once(form: string, make: () => string): string {
    return this.#cached(this.#forms, form, make);
  }

  /** Returns the bytes of the text that `make` makes of a form, for all streams the same. */
  bytes(form: string, make: () => string): Buffer {
    return this.#cached(this.#messages, form, () => Buffer.from(make()));
  }

  #cached<T extends string | Buffer>(known: Map<string, T>, form: string, make: () => T): T {
    const found = known.get(form);
    if (found !== undefined) return found;
    const made = make();
    known.set(form, made);
    this.grow(made.length);
    return made;
  }

  /** Returns the event as a new object. */
  parse(): StoredResourceEvent {
    return JSON.parse(this.text) as StoredResourceEvent;
  }
}

/** The parts of the state before a write that tell whether its resource leaves a selection: those that the write changes. */
interface StateBefore {
  labels?: Labels;
  /** The keys of the resource in its indexes, by index. */
  entries?: EntriesBefore;
  /** All of it, in a service that keeps it. */
  state?: StoredText;
}

/** The data stored next to the text of an event. */
interface Extras {
  /** Preserved fields of the resource, as JSON text; null for none. */
  preserved: string | null;
  before: StateBefore;
}

const RESOURCE = '"resource":';

/** Stored with the names of versions, none of which looks like them. */
const [LABELS_BEFORE, ENTRIES_BEFORE, STATE_BEFORE] = [
  'labels before',
  'entries before',
  'state before',
] as const;
const BEFORE = [LABELS_BEFORE, ENTRIES_BEFORE];

/**
 * Returns the event to store with a write. `storesState` keeps the whole state before a write that changes
 * labels, or entries by which resources are selected.
 */
export function newEvent(service: Pick<Service, 'data'>, change: Change, storesState?: true): NewEvent {
  const { cause, resource, text, time, request, kept, before } = change;
  const event = eventOf(cause, resource, text, time, request && originOf(request));
  const { labels, entries } = changedBy(service, change);
  if (labels === undefined && entries === undefined) return { kept, ...event };
  const isSelection = labels !== undefined || Object.keys(entries!).some((index) => index !== UPDATED_AT);
  const added = {
    [LABELS_BEFORE]: labels,
    [ENTRIES_BEFORE]: entries,
    [STATE_BEFORE]: storesState && isSelection ? stateOf(before?.row) : undefined,
    ...(kept === null ? {} : (JSON.parse(kept) as object)),
  };
  return { kept: JSON.stringify(added), ...event };
}

/** The index that every write changes: the whole state before each would double the log. */
const UPDATED_AT = 'metadata.updatedAt';

/** Returns the labels before an update that changes them, and the keys in those indexes that it changes. */
function changedBy({ data }: Pick<Service, 'data'>, { kind, resource, before, index }: Change): StateBefore {
  if (before === undefined) return {};
  const { labels = {} } = before.state.hub.metadata;
  return {
    labels: same(labels, resource.metadata.labels ?? {}) ? undefined : labels,
    entries: index && data?.entriesBefore(kind, before.state, index),
  };
}

function stateOf(stored: StoredText | undefined): StoredText | undefined {
  return stored && { version: stored.version, text: stored.text, kept: stored.kept };
}

/** Returns whether a type matches a pattern in which `*` stands for any string: `io.svc.device.*`, `io.svc.*.deleted`. */
export function matchesType(type: string, pattern: string): boolean {
  const [start, ...parts] = pattern.split('*') as [string, ...string[]];
  const end = parts.pop();
  if (end === undefined) return type === pattern;
  if (!type.startsWith(start) || !type.endsWith(end)) return false;
  let at = start.length;
  for (const part of parts) {
    const found = type.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= type.length - end.length;
}
