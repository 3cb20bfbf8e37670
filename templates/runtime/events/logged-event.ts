import type { DeadLetter, Position, StoredEvent } from '../store/event-log';
import type { Labels, NewEvent } from '../store/store';
import type { ResourceEvent } from './cloud-event';

/** An event of the log. Readers share it: what is derived from its text is derived once. */
export class LoggedEvent {
  readonly position: Position;
  readonly type: string;
  /** `<group>/<Kind>` */
  readonly kind: string;
  readonly uid: string;
  /** Milliseconds since 1970. */
  readonly writtenAt: number;
  /** The whole CloudEvent as JSON text, without line breaks. */
  readonly text: string;
  /** What it has beside its text, as JSON text; null for nothing. */
  readonly kept: string | null;
  #labels: Labels | undefined;
  readonly #forms = new Map<string, string>();

  constructor({ position, type, kind, uid, writtenAt, text, kept }: StoredEvent) {
    this.position = position;
    this.type = type;
    this.kind = kind;
    this.uid = uid;
    this.writtenAt = writtenAt;
    this.text = text;
    this.kept = kept;
  }

  /** The event of a dead letter. */
  static ofLetter({ position, kind, text, kept, failedAt }: DeadLetter): LoggedEvent {
    const { type, data } = JSON.parse(text) as ResourceEvent;
    return new LoggedEvent({
      position,
      type,
      kind,
      uid: data.resourceUID,
      writtenAt: failedAt,
      text,
      kept,
    });
  }

  /** The labels of the resource in this event. */
  get labels(): Labels {
    this.#labels ??= this.parse().data.resource.metadata.labels ?? {};
    return this.#labels;
  }

  /** The labels before a write that changed them; undefined for every other write. */
  get labelsBefore(): Labels | undefined {
    return this.#beside().labels;
  }

  /** What spokes keep aside of its resource, as JSON text; null for nothing. */
  get keptAside(): string | null {
    return this.#beside().aside;
  }

  /** The `apiVersion` of its resource. */
  get apiVersion(): string {
    // Quotes within strings are escaped, so that this can be nothing else.
    const at = this.text.indexOf('"resource":');
    const [, apiVersion] = /^"resource":\{"apiVersion":"([^"\\]*)"/.exec(this.text.slice(at, at + 400)) ?? [];
    return apiVersion ?? this.parse().data.resource.apiVersion;
  }

  #beside(): { aside: string | null; labels?: Labels } {
    if (this.kept === null || !this.kept.includes(LABELS_BEFORE)) return { aside: this.kept };
    const { [LABELS_BEFORE]: labels, ...aside } = JSON.parse(this.kept) as { [LABELS_BEFORE]?: Labels };
    return { aside: Object.keys(aside).length > 0 ? JSON.stringify(aside) : null, labels };
  }

  /** The same event with another text. */
  with(text: string): LoggedEvent {
    return text === this.text ? this : new LoggedEvent({ ...this, text });
  }

  /** A form of the event, made at most once and kept as long as the event is. */
  once(form: string, make: () => string): string {
    const known = this.#forms.get(form);
    if (known !== undefined) return known;
    const made = make();
    this.#forms.set(form, made);
    return made;
  }

  /** The event as an object, a new one for each caller. */
  parse(): ResourceEvent {
    return JSON.parse(this.text) as ResourceEvent;
  }
}

/** Beside the names of versions, none of which is like it. */
const LABELS_BEFORE = 'labels before';

/** Notes in the event of a write that changes labels what they were before. */
export function noteLabelsBefore(event: NewEvent, labels: Labels = {}): void {
  const kept = event.kept === null ? {} : (JSON.parse(event.kept) as object);
  event.kept = JSON.stringify({ ...kept, [LABELS_BEFORE]: labels });
}

/** Whether a type is meant by a pattern, in which `*` stands for any text: `io.svc.device.*`, `io.svc.*.deleted`. */
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
