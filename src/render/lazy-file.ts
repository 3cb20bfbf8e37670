import { digestOf } from '../cache/digest';
import type { OutputFile } from './outputs';
import type { PlannedFile } from './render';

/** A file that is rendered only where its digest does not say enough. */
export class LazyFile implements OutputFile {
  readonly path: string;
  readonly owner: OutputFile['owner'];
  readonly source: string;
  readonly #render: () => string;
  #text: string | undefined;
  #bytes: Buffer | undefined;
  #digest: string | undefined;

  /** `digest` is that of the text, where it is known. */
  constructor({ path, owner, source, text }: PlannedFile, digest: string | undefined) {
    this.path = path;
    this.owner = owner;
    this.source = source;
    this.#render = text;
    this.#digest = digest;
  }

  get text(): string {
    return (this.#text ??= this.#render());
  }

  get bytes(): Buffer {
    return (this.#bytes ??= Buffer.from(this.text));
  }

  /** Undefined until the text is rendered, unless it was known before. */
  get digest(): string | undefined {
    if (this.#text !== undefined) this.#digest ??= digestOf(this.#bytes ?? this.#text);
    return this.#digest;
  }
}
