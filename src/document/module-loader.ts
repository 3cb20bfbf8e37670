import { createRequire } from 'node:module';
import { posix } from 'node:path';

/** Where modules come from, and how they become JavaScript. */
export interface Sources {
  /** Compiles TypeScript to a CommonJS module. */
  transpile(text: string): string;
  /** Returns the text of a file, whose path is given without its ending. */
  read(file: string): string;
}

/** Runs TypeScript modules in this process: generated ones, and those of a project. */
export class ModuleLoader {
  readonly #loaded = new Map<string, object>();

  /** `given` are modules that are imported by names of their own. */
  constructor(
    private readonly sources: Sources,
    private readonly given: { [name: string]: () => object },
  ) {}

  /** Returns the exports of a file without its ending. Throws where it cannot be read or run. */
  load(file: string): object {
    return this.#loaded.get(file) ?? this.run(file, this.sources.read(file));
  }

  /** Returns the exports of a module with this text, as if it stood in the file. */
  run(file: string, text: string): object {
    const exported = {};
    this.#loaded.set(file, exported);
    const code = this.sources.transpile(text);
    // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- modules of the project run
    new Function('exports', 'require', code)(exported, (name: string) => this.resolve(name, file));
    return exported;
  }

  private resolve(name: string, from: string): unknown {
    if (Object.hasOwn(this.given, name)) return this.given[name]();
    return name.startsWith('.') ? this.load(posix.join(posix.dirname(from), name)) : packageOf(name, from);
  }
}

/** Returns a package as svcgen finds it, or else the file. */
function packageOf(name: string, from: string): unknown {
  try {
    return require(name);
  } catch {
    return createRequire(`${from}.js`)(name);
  }
}
