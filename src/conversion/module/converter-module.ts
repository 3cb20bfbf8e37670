import { camelWords, Identifiers } from '../../code/identifiers';
import { Call, Code, literal, type Printable, Thunk, WIDTH } from '../../code/literal';
import type { SharedType } from '../../model/project';
import { customInterfaces, customsOf, interfaceNames } from '../plan/custom-types';
import { type ConversionPlan, isWhole, type LensPlan, type ObjectPlan, type SeveralLink } from '../plan/plan';
import { Types } from '../rules/slot';
import { given, ObjectWriter, unlessEmpty, type Words } from './object-writer';

/** Where a converter stands. */
export interface ConverterPlace {
  kind: string;
  /** The runtime folder, from the converter's file: `../../runtime`. */
  runtime: string;
  /** The kind's own file, from the converter's file, without its ending. */
  userFile: string;
  /** True for a view: the plan's hub is an earlier storage version, in which resources are still stored. */
  isView?: boolean;
}

/** The words of a table, by the file of the runtime that exports them; types are marked. */
const WORDS: { [file: string]: string } = {
  'conversion/rules':
    'castFromText, castToText, custom, firstOfHub, firstOfSpoke, join, joinedList, listAsMap, mapAsList, mapping, scaling',
  'conversion/table':
    'boxedHub, boxedSpoke, copy, deferred, dropped, fields, from, group, type Lens, listOf, mapOf, orElse, own, spoke, together',
  'model/schema': 'type Json, type JsonObject',
};

/** Names that no constant of a converter may have besides the words: those of TypeScript, and the converter's own. */
const RESERVED = (
  'break case catch class const continue debugger default delete do else enum export extends false finally for function if ' +
  'implements import in instanceof interface let new null package private protected public return static super switch this ' +
  'throw true try typeof var void while with yield await async eval arguments undefined NaN Infinity exports require module ' +
  'converter'
).split(' ');

/** Writes the converter of a spoke as a TypeScript module: a table of the sources of its fields. */
export function converterModule(plan: ConversionPlan, types: SharedType[], place: ConverterPlace): string {
  return new TableWriter(plan, types, place).module();
}

interface TypeConstant {
  name: string;
  isOpen: boolean;
  isRecursive: boolean;
}

class TableWriter implements Words {
  readonly types: Types;
  private readonly used = new Set<string>();
  private readonly interfaces = new Map<string, string[]>();
  private readonly functions: string[];
  private readonly constants = new Map<ObjectPlan, TypeConstant>();
  private readonly declarations: string[] = [];
  private readonly identifiers: Identifiers;

  constructor(
    private readonly plan: ConversionPlan,
    sharedTypes: SharedType[],
    private readonly place: ConverterPlace,
  ) {
    this.types = new Types(sharedTypes);
    const functions = customsOf(plan).flatMap(({ rule: { options } }) => [
      `${options.name}FromHub`,
      `${options.name}ToHub`,
    ]);
    this.functions = [...new Set(functions)].sort();
    const words = Object.values(WORDS).flatMap((list) => list.split(', ').map(nameOf));
    this.identifiers = new Identifiers([...words, ...RESERVED, ...this.functions]);
  }

  module(): string {
    const { spokeVersion, hubVersion, rules, spec, status } = this.plan;
    const parts = { spec: this.lens(spec), status: this.lens(status) };
    const table = literal(this.call('spoke', rules, parts), {
      column: 'export const converter = '.length,
      tail: 1,
    });
    const subject = this.place.isView
      ? `${this.place.kind} stored in ${hubVersion}, as ${spokeVersion} reads it.`
      : `${this.place.kind} between ${spokeVersion} and the storage version ${hubVersion}.`;
    this.declarations.push(`/** ${subject} */\nexport const converter = ${table};`);
    const interfaces = [...this.interfaces.values()].flat();
    return `${this.imports()}\n${[...interfaces, ...this.declarations].join('\n\n')}\n`;
  }

  /** Notes that a word is used, and returns it. */
  readonly use = (word: string): string => {
    this.used.add(word);
    return word;
  };

  word(word: string): Code {
    return new Code(this.use(word));
  }

  call(word: string, ...args: Printable[]): Call {
    return new Call(
      this.use(word),
      args.filter((arg) => arg !== undefined),
    );
  }

  lens(plan: LensPlan): Printable {
    switch (plan.kind) {
      case 'copy':
        return this.word('copy');
      case 'object':
        return this.object(plan.object);
      case 'type':
        return new Code(this.constant(plan.object()));
      case 'map': {
        const [hub, spoke] = [plan.pairs.map(([one]) => one), plan.pairs.map(([, other]) => other)];
        return this.call('mapping', hub, spoke, given({ ...plan.otherwise }));
      }
      case 'scale': {
        const [hub, spoke] = [plan.hub, plan.spoke].map((type) => (type === 'integer' ? undefined : type));
        return this.call('scaling', plan.factor, given({ hub, spoke }));
      }
      case 'castFromText':
      case 'castToText':
        return this.call(plan.kind, plan.meaning, plan.otherwise);
      case 'joinList':
        return this.call('joinedList', plan.side, plan.separator);
      case 'list': {
        const { hubKey, spokeKey } = plan;
        const isPlain = hubKey === spokeKey && isWhole(plan);
        const options = isPlain ? hubKey : given({ hubKey, spokeKey, ...this.selected(plan) });
        return this.call('listOf', options, this.lens(plan.inner));
      }
      case 'mapOf':
        return this.call('mapOf', given(this.selected(plan)), this.lens(plan.inner));
      case 'firstOfHub':
      case 'firstOfSpoke': {
        const presets = unlessEmpty(plan.presets);
        const options = given({ required: plan.required || undefined, key: plan.key, presets });
        return this.call(plan.kind, options, this.lens(plan.inner));
      }
      case 'mapAsList':
      case 'listAsMap': {
        const { key, type } = plan.index;
        const options = {
          type: type === 'string' ? undefined : type,
          except: unlessEmpty(plan.index.except),
        };
        const isPlain = options.type === undefined && options.except === undefined;
        return this.call(plan.kind, isPlain ? key : given({ key, ...options }), this.lens(plan.inner));
      }
      case 'boxedHub':
      case 'boxedSpoke':
        return this.call(plan.kind, this.lens(plan.inner));
    }
  }

  custom(link: SeveralLink, hub: string[], spoke: string[]): Printable {
    const name = link.rule.options.name!;
    if (!this.interfaces.has(name)) this.interfaces.set(name, customInterfaces(link, this.plan, this));
    const [ours, theirs] = interfaceNames(name);
    this.use('custom');
    const functions = { toHub: new Code(`${name}ToHub`), fromHub: new Code(`${name}FromHub`) };
    return new Call(`custom<${ours}, ${theirs}>`, [name, hub, spoke, functions]);
  }

  /** The elements or entries that rules name one by one. */
  private selected({ except, skip, special }: LensPlan & { kind: 'list' | 'mapOf' }) {
    const lenses = special.map(([key, lens]): Printable => [key, this.lens(lens)]);
    return { except: unlessEmpty(except), skip: unlessEmpty(skip), special: unlessEmpty(lenses) };
  }

  /** The constant of a pair of shared types. */
  private constant(object: ObjectPlan): string {
    const known = this.constants.get(object);
    if (known !== undefined) {
      // Whatever is open contains this one and is contained in it.
      const open = [...this.constants.values()].filter(({ isOpen }) => isOpen);
      if (known.isOpen) for (const one of open.slice(open.indexOf(known))) one.isRecursive = true;
      return known.name;
    }
    const constant = {
      name: this.identifiers.claim(camelWords(object.name).replace(/^\d/, '_$&')),
      isOpen: true,
      isRecursive: false,
    };
    this.constants.set(object, constant);
    const [shape, options] = this.parts(object);
    constant.isOpen = false;
    const lens = this.call('fields', shape, options);
    const start = `const ${constant.name}${constant.isRecursive ? `: ${this.use('Lens')}` : ''} = `;
    const value = constant.isRecursive ? this.call('deferred', new Thunk(lens)) : lens;
    this.declarations.push(`${start}${literal(value, { column: start.length, tail: 1 })};`);
    return constant.name;
  }

  /** The fields of an object, or the lens of them where there is more to say. */
  private object(object: ObjectPlan): Printable {
    const [shape, options] = this.parts(object);
    return options === undefined ? shape : this.call('fields', shape, options);
  }

  private parts(object: ObjectPlan): [shape: Printable, options: Printable] {
    return new ObjectWriter(object, this).parts();
  }

  private imports(): string {
    const files = Object.entries(WORDS).map(([file, words]): [path: string, names: string[]] => [
      `${this.place.runtime}/${file}`,
      words.split(', ').filter((word) => this.used.has(nameOf(word))),
    ]);
    const lines = [[this.place.userFile, this.functions] as const, ...files]
      .filter(([, names]) => names.length > 0)
      .map(([path, names]) => importLine(names, path));
    return lines.join('');
  }
}

function importLine(names: string[], path: string): string {
  const onlyTypes = names.every((name) => name.startsWith('type '));
  const list = onlyTypes ? names.map(nameOf) : names;
  const start = onlyTypes ? 'import type' : 'import';
  const line = `${start} { ${list.join(', ')} } from '${path}';\n`;
  if (line.length <= WIDTH + 1) return line;
  return `${start} {\n${list.map((name) => `  ${name},\n`).join('')}} from '${path}';\n`;
}

function nameOf(word: string): string {
  return word.replace('type ', '');
}
