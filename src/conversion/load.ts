import { createRequire } from 'node:module';

/** Where modules come from, and how they become JavaScript. */
export interface Sources {
  /** TypeScript as a CommonJS module of this text. */
  transpile(text: string, file: string): string;
  /** The text of a file without its ending. */
  read(file: string): string;
}

/** Runs TypeScript modules in this process: the runtime of a service, what is generated for it, and the user's own. */
export class ModuleLoader {
  private readonly loaded = new Map<string, object>();

  /** `aliases` are ids that stand for a path, or start it: `#runtime` for the runtime folder. */
  constructor(
    private readonly sources: Sources,
    readonly aliases: { [id: string]: string },
  ) {}

  /** The exports of a file without its ending. What it cannot read or run throws. */
  load<Exports extends object>(file: string): Exports {
    const known = this.loaded.get(file);
    return (known ?? this.run(file, this.sources.read(file))) as Exports;
  }

  /** The exports of a module that is in no file. */
  run<Exports extends object>(file: string, text: string): Exports {
    const exported = {};
    this.loaded.set(file, exported);
    const code = this.sources.transpile(text, file);
    new Function('exports', 'require', code)(exported, (id: string) => this.resolve(id, file));
    return exported as Exports;
  }

  private resolve(id: string, from: string): unknown {
    const alias = Object.keys(this.aliases).find((start) => id === start || id.startsWith(`${start}/`));
    if (alias !== undefined) return this.load(this.aliases[alias] + id.slice(alias.length));
    if (id.startsWith('.')) return this.load(joined(from, id));
    return packageOf(id, from);
  }
}

/** A package as the file finds it, or else svcgen. */
function packageOf(id: string, from: string): unknown {
  try {
    return require(id);
  } catch {
    return createRequire(`${from}.js`)(id);
  }
}

function joined(from: string, id: string): string {
  const path = from.split('/').slice(0, -1);
  for (const step of id.split('/')) {
    if (step === '..') path.pop();
    else if (step !== '.') path.push(step);
  }
  return path.join('/');
}
