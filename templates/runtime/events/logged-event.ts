import type { Position, StoredEvent } from '../store/event-log';
import type { Labels } from '../store/store';
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
  /** What spokes keep aside of its resource, as JSON text; null for nothing. */
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

  /** The labels of the resource in this event. */
  get labels(): Labels {
    this.#labels ??= this.parse().data.resource.metadata.labels ?? {};
    return this.#labels;
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

/** Whether a type is meant by a pattern: the type itself, `*`, or a prefix such as `io.svc.device.*`. */
export function matchesType(type: string, pattern: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}
