import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import type { Io, Output } from '../../src/terminal/io';

/** A terminal, or what takes its place, whose output can be read. */
export class Terminal extends EventEmitter implements Io {
  out = '';
  err = '';
  readonly stdin: Io['stdin'];
  readonly stdout: Output;
  readonly stderr: Output;

  constructor(
    private readonly folder: string,
    private readonly isTTY = false,
    readonly env: Io['env'] = {},
    input: string | Buffer[] = '',
  ) {
    super();
    this.stdin = Object.assign(Readable.from(typeof input === 'string' ? [input] : input), { isTTY });
    this.stdout = this.output((text) => (this.out += text));
    this.stderr = this.output((text) => (this.err += text));
  }

  private output(wrote: (text: string) => void): Output {
    const stream = new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        wrote(text);
        this.emit('wrote');
        done();
      },
    });
    return Object.assign(stream, { isTTY: this.isTTY });
  }

  cwd(): string {
    return this.folder;
  }

  /** Waits until what was written, to stderr or to stdout, matches. */
  async until(pattern: RegExp, stream: 'out' | 'err' = 'err'): Promise<void> {
    while (!pattern.test(this[stream])) await EventEmitter.once(this, 'wrote');
  }
}
