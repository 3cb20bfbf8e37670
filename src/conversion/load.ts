import type { SharedType } from '../model';
import { converterModule } from './emit';
import type { ConversionPlan } from './plan';

/** What `svcgen convert` needs of a converter: the same as the service does, without what it keeps in its store. */
export interface DocumentConverter {
  fromHub(hub: Document, kept: undefined): Document;
  toHub(spoke: Document, stored: undefined): { hub: Document };
}

/** The parts of a resource that are converted. */
export interface Document {
  spec: object;
  status: object;
}

/** Where the modules that a converter imports come from. */
export interface Modules {
  /** The runtime folder, `templates/runtime`. */
  runtime: string;
  /** The kind's own file with the functions of rules `custom`; undefined where there is none. */
  userFile: string | undefined;
  /** TypeScript as a JavaScript module of this text. */
  transpile(text: string, file: string): string;
  /** The text of a file without its ending. */
  read(file: string): string;
}

const RUNTIME = '#runtime';
const USER_FILE = '#user';

/**
 * The converter of a spoke, running in this process: the module that `generate` writes, with the runtime that it
 * imports. Throws an Error when the kind's own file lacks a function of a rule `custom`.
 */
export function loadConverter(
  plan: ConversionPlan,
  types: SharedType[],
  kind: string,
  modules: Modules,
): DocumentConverter {
  const loaded = new Map<string, object>();
  const text = converterModule(plan, types, { kind, runtime: RUNTIME, userFile: USER_FILE });

  const load = (file: string): object => {
    const known = loaded.get(file);
    if (known !== undefined) return known;
    return evaluate(file, modules.read(file));
  };
  const evaluate = (file: string, source: string): object => {
    const exported = {};
    loaded.set(file, exported);
    const code = modules.transpile(source, file);
    const folder = file.split('/').slice(0, -1);
    new Function('exports', 'require', code)(exported, (id: string) => resolve(id, folder));
    return exported;
  };
  const resolve = (id: string, folder: string[]): unknown => {
    if (id === USER_FILE) return modules.userFile === undefined ? {} : load(modules.userFile);
    if (id.startsWith(RUNTIME)) return load(modules.runtime + id.slice(RUNTIME.length));
    if (!id.startsWith('.')) return require(id);
    const path = [...folder];
    for (const step of id.split('/')) {
      if (step === '..') path.pop();
      else if (step !== '.') path.push(step);
    }
    return load(path.join('/'));
  };
  const { converter } = evaluate('#converter', text) as { converter: DocumentConverter };
  return converter;
}
