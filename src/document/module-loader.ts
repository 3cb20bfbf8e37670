import { createRequire } from 'node:module';
import { posix } from 'node:path';

/** Where modules come from, and how they become JavaScript. */
export interface Sources {
  /** Compiles TypeScript or JavaScript to a CommonJS module. */
  transpile(text: string): string;
  /** Returns true for a path that leads to a file. */
  isFile(path: string): boolean;
  /** Returns the text of a file. */
  read(path: string): string;
}

/** The ends of the files that an import without an ending may lead to, in the order of the TypeScript compiler. */
const ENDS = ['.ts', '.js', '.json', '/index.ts', '/index.js', '/index.json'];

/** Runs TypeScript modules in this process: generated ones, and those of a project. */
export class ModuleLoader {
  readonly #loaded = new Map<string, { exports: object }>();

  /** `given` has modules under names that are not paths. */
  constructor(
    private readonly sources: Sources,
    private readonly given: { [name: string]: () => object },
  ) {}

  /** Returns the exports of the module that an import of this path leads to. Throws where it cannot be read or run. */
  load(imported: string): object {
    const path = this.find(imported);
    return this.#loaded.get(path)?.exports ?? this.run(path, this.sources.read(path));
  }

  /** Returns the exports of a module with this text, as if it stood in the file. */
  run(path: string, text: string): object {
    const module: { exports: object } = { exports: {} };
    this.#loaded.set(path, module);
    if (path.endsWith('.json')) return (module.exports = JSON.parse(text) as object);
    const code = this.sources.transpile(text);
    const required = Object.assign((name: string): unknown => this.resolve(name, path), {
      resolve: (name: string): string =>
        isRelative(name) ? this.find(join(path, name)) : pathOf(name, path),
    });
    // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- modules of the project run
    new Function('module', 'exports', 'require', '__filename', '__dirname', code)(
      ...[module, module.exports, required, path, posix.dirname(path)],
    );
    return module.exports;
  }

  private resolve(name: string, from: string): unknown {
    if (Object.hasOwn(this.given, name)) return this.given[name]();
    return isRelative(name) ? this.load(join(from, name)) : packageOf(name, from);
  }

  /** Returns the file of an import: the path itself, a file next to it, or the index of a folder. */
  private find(imported: string): string {
    const stem = imported.replace(/\/+$/, '');
    const ends = stem === imported ? ENDS : ENDS.filter((end) => end.startsWith('/'));
    // TypeScript lets './x.js' mean './x.ts'.
    const paths = [imported, ...ends.map((end) => stem + end), imported.replace(/\.js$/, '.ts')];
    return paths.find((path) => this.sources.isFile(path)) ?? `${stem}.ts`;
  }
}

function isRelative(name: string): boolean {
  return /^\.\.?(\/|$)/.test(name);
}

/** Returns the path that a relative import in a file names. */
function join(from: string, name: string): string {
  return posix.join(posix.dirname(from), name);
}

/** Returns a package as svcgen finds it, or else the file. */
function packageOf(name: string, from: string): unknown {
  try {
    return require(name);
  } catch {
    return createRequire(from)(name);
  }
}

/** Returns the file of a package, where `packageOf` finds it. */
function pathOf(name: string, from: string): string {
  try {
    return require.resolve(name);
  } catch {
    return createRequire(from).resolve(name);
  }
}
