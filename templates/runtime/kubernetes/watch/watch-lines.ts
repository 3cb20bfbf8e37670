import type { Message, StreamForm } from '../../events/log/log-stream';
import type { LoggedEvent } from '../../events/log/logged-event';
import type { Position } from '../../store/events/event-log';
import { apiVersionOf, type KubernetesContext } from '../face/face';
import { type Form, formOf } from '../objects/form';
import { objectTextFrom } from '../objects/object';
import { revisionAt } from '../objects/revision';
import { formed } from '../objects/send-object';
import { metadataOf } from '../objects/table';
import { KubernetesProblem } from '../status/problem';
import { statusOf } from '../status/status';
import type { InitialObjects } from './initial-objects';
import type { ChangeType, WatchedChange, WatchSelection } from './watch-selection';

/** The annotation of the bookmark that follows the initial objects. */
const INITIAL_END = { annotations: { 'k8s.io/initial-events-end': 'true' } };

/** The lines of one watch, each a JSON object. */
export class WatchLines implements StreamForm {
  readonly #form: Form;
  /** Set while the bookmark that ends the initial objects is still to be sent. */
  #owesEnd = false;

  constructor(
    private readonly context: KubernetesContext,
    private readonly selection: WatchSelection,
    private readonly options: {
      allowsBookmarks: boolean;
      /** The objects that the watch begins with, if it does. */
      initial: InitialObjects | undefined;
    },
  ) {
    this.#form = formOf(context.req);
  }

  asks(event: LoggedEvent): boolean {
    return this.selection.asks(event);
  }

  shared(): string | undefined {
    // Rows of tables have ages, and the log repeats states among the initial objects for this client alone.
    const isOwn = this.#form === 'table' || this.#owesEnd || this.options.initial?.isOver === false;
    const selection = isOwn ? undefined : this.selection.shared;
    return selection && `${this.#form} ${apiVersionOf(this.context)} ${selection}`;
  }

  async messageOf(event: LoggedEvent): Promise<Message | undefined> {
    const revision = revisionAt(event.position);
    const changes = await this.selection.changesOf(event);
    const { initial } = this.options;
    // A client that resumes between the two lines of a rename reads both again.
    const revisions = changes.length === 1 ? [revision] : [revisionAt(event.after!), revision];
    const lines = changes.map((change, n) =>
      initial?.isKnown(change.text, revision) === true ? '' : this.#shared(event, change, revisions[n]),
    );
    initial?.pass(revision);
    const text = lines.join('') + (this.#owesEnd ? this.endOfInitial(revision) : '');
    return text === '' ? undefined : { text, bytes: () => event.bytes(text, () => text) };
  }

  idle(end: Position): string | undefined {
    const revision = revisionAt(end);
    const { allowsBookmarks, initial } = this.options;
    return allowsBookmarks && initial?.isPassed(revision) !== false ? this.#bookmark(revision) : undefined;
  }

  /**
   * Returns the bookmark that ends the initial objects, for a client at this revision of the log. Objects may have changed while
   * they were listed: then it follows their changes.
   */
  endOfInitial(revision: string): string {
    this.#owesEnd = this.options.initial?.isPassed(revision) === false;
    return this.#owesEnd ? '' : this.#bookmark(revision, INITIAL_END);
  }

  dropped(): string {
    const message =
      'the client reads too slowly; it may go on from the last resourceVersion that it has read';
    return this.error(new KubernetesProblem(429, message, { retryAfterSeconds: 1 }));
  }

  /** Returns the line of an object's JSON text. */
  object(type: ChangeType, text: string): string {
    return line(type, formed(this.context, text));
  }

  /** Returns the line of an error, after which the stream ends. */
  error(error: unknown): string {
    return line('ERROR', JSON.stringify(statusOf(error, { kind: this.context.kind })));
  }

  /** Returns the line that says that the client has been sent all changes before a revision. */
  #bookmark(resourceVersion: string, more: Partial<typeof INITIAL_END> = {}): string {
    const metadata = { resourceVersion, creationTimestamp: null, ...more };
    return line('BOOKMARK', JSON.stringify(this.#bookmarkObject(metadata)));
  }

  #bookmarkObject(metadata: { resourceVersion: string }): object {
    const { kind } = this.context;
    if (this.#form === 'object') return { kind: kind.kind, apiVersion: apiVersionOf(this.context), metadata };
    const partial = metadataOf({ metadata });
    if (this.#form === 'metadata') return partial;
    const { resourceVersion } = metadata;
    const rows = 'annotations' in metadata ? [{ cells: [], object: partial }] : [];
    return {
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion },
      columnDefinitions: null,
      rows,
    };
  }

  /** Returns the line of a change. Watches in the same version share those without ages. */
  #shared(event: LoggedEvent, { type, text, stored }: WatchedChange, revision: string): string {
    const { kind, urlVersion } = this.context;
    const make = (): string =>
      this.object(type, objectTextFrom(kind, stored, urlVersion, { text, revision }));
    return this.#form === 'table'
      ? make()
      : event.once(`${type} ${revision} as ${this.#form} in ${urlVersion}`, make);
  }
}

function line(type: ChangeType | 'BOOKMARK' | 'ERROR', object: string): string {
  return `{"type":"${type}","object":${object}}\n`;
}
