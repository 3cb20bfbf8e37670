import { Identifiers } from '../render/identifiers';
import type { SharedType } from '../model';
import { camel, declaration } from './code';
import { customExpression, customInterfaces } from './custom-code';
import { emitScope } from './emit-scope';
import { joinExpression, lensExpression } from './lens-code';
import { stepsText } from './path';
import type { ConversionPlan, LensPlan, ScopePlan, SeveralLink } from './plan';
import { Types } from './slot';

/** Where a converter stands. */
export interface ConverterPlace {
  kind: string;
  /** The runtime folder, from the converter's file: `../../runtime`. */
  runtime: string;
  /** The kind's own file, from the converter's file, without its ending. */
  userFile: string;
}

/** Which file of the runtime exports what; types are marked. */
const EXPORTS: { [file: string]: string[] } = {
  'conversion/casting': ['castFromText', 'castToText'],
  'conversion/containers': [
    'addUndeclared',
    'closed',
    'emptied',
    'ifShown',
    'keyed',
    'linked',
    'markEmpty',
    'opened',
    'others',
    'placed',
    'presence',
    'present',
    'residue',
    'unlessChanged',
    'unlessGone',
    'there',
    'undeclared',
    'unkeyed',
    'withElement',
  ],
  'conversion/converter': ['converterOf', 'type SpokeConverter'],
  'conversion/custom': ['customized'],
  'conversion/indexes': ['listAsMap', 'mapAsList'],
  'conversion/joining': ['joinedInHub', 'joinedInSpoke', 'joinedList', 'updateSeveral'],
  'conversion/lens': ['boxedHub', 'boxedSpoke', 'copy', 'deferred', 'update'],
  'conversion/lists': ['listOf'],
  'conversion/mapping': ['mapping'],
  'conversion/maps': ['mapOf'],
  'conversion/scaling': ['scaling'],
  'conversion/scopes': ['scope', 'type Before', 'type Written', 'whole'],
  'conversion/values': ['find', 'keep', 'object', 'orDefault', 'own', 'position', 'set', 'type Maybe'],
  'conversion/wraps': ['firstOfHub', 'firstOfSpoke'],
  problem: ['type Failure'],
  schema: ['type Json', 'type JsonObject'],
};

/** Writes the converter of a spoke as a TypeScript module: lenses and functions of exactly this kind and version. */
export class Emitter {
  readonly types: Types;
  private readonly parts: string[] = [];
  private readonly used = new Set<string>();
  private readonly customs = new Set<string>();
  private readonly identifiers: Identifiers;
  private readonly lensNames = new Map<LensPlan, string>();
  private readonly scopeNames = new Map<
    ScopePlan,
    { name: string; done: boolean; later: string | undefined }
  >();
  private readonly severalNames = new Map<SeveralLink, string>();

  constructor(
    private readonly plan: ConversionPlan,
    sharedTypes: SharedType[],
    private readonly place: ConverterPlace,
  ) {
    this.types = new Types(sharedTypes);
    const helpers = Object.values(EXPORTS)
      .flat()
      .map((name) => name.replace('type ', ''));
    this.identifiers = new Identifiers([...helpers, ...WORDS]);
  }

  /** The whole module. */
  module(): string {
    const { spokeVersion, hubVersion, rules, spec, status } = this.plan;
    const [specLens, statusLens] = [this.lens(spec, 'spec'), this.lens(status, 'status')];
    this.use('converterOf');
    this.use('SpokeConverter');
    const lenses =
      specLens === 'spec' && statusLens === 'status'
        ? '{ spec, status }'
        : `{ spec: ${specLens}, status: ${statusLens} }`;
    this.add(
      `/** ${this.place.kind} between ${spokeVersion} and the storage version ${hubVersion}. */\nexport const converter: SpokeConverter = converterOf(${lenses}, '${rules}');`,
    );
    return `${this.imports()}\n${this.parts.join('\n\n')}\n`;
  }

  /** Adds a declaration. */
  add(text: string): void {
    this.parts.push(text);
  }

  /** Notes that a name of the runtime is used, and returns it. */
  use(name: string): string {
    this.used.add(name);
    return name;
  }

  /** The constant of a lens, declared where it is met first. */
  lens(plan: LensPlan, hint: string): string {
    if (plan.kind === 'copy') return this.use('copy');
    if (plan.kind === 'scope') return this.scope(plan.scope);
    if (plan.kind === 'type') return this.typeScope(plan.scope());
    const known = this.lensNames.get(plan);
    if (known !== undefined) return known;
    const expression = lensExpression(plan, hint, this);
    const name = this.identifiers.claim(hint);
    this.lensNames.set(plan, name);
    this.add(declaration(`const ${name} = `, expression));
    return name;
  }

  /** The constant of a rule over several fields. */
  several(link: SeveralLink, base: string): string {
    const known = this.severalNames.get(link);
    if (known !== undefined) return known;
    const { name: rule, options } = link.rule;
    const places = link.spoke.map(({ steps }) => stepsText(steps));
    const name = this.identifiers.claim(rule === 'custom' ? options.name! : camel(base, ...places));
    this.severalNames.set(link, name);
    if (rule === 'custom') this.custom(link, name);
    else this.add(declaration(`const ${name} = `, joinExpression(link, this)));
    return name;
  }

  private custom(link: SeveralLink, name: string): void {
    const own = link.rule.options.name!;
    if (!this.customs.has(own)) {
      this.customs.add(own);
      for (const text of customInterfaces(link, this.plan, this)) this.add(text);
    }
    this.add(declaration(`const ${name} = `, customExpression(link, this)));
  }

  /** A type's lens; inside itself it is not there yet. */
  private typeScope(scope: ScopePlan): string {
    const known = this.scopeNames.get(scope);
    if (known === undefined || known.done) return this.scope(scope);
    if (known.later === undefined) {
      known.later = this.identifiers.claim(`${known.name}Inside`);
      this.add(`const ${known.later} = ${this.use('deferred')}(() => ${known.name});`);
    }
    return known.later;
  }

  private scope(scope: ScopePlan): string {
    const known = this.scopeNames.get(scope);
    if (known !== undefined) return known.name;
    const entry = { name: this.identifiers.claim(camel(scope.name)), done: false, later: undefined };
    this.scopeNames.set(scope, entry);
    emitScope(this, scope, entry.name);
    entry.done = true;
    return entry.name;
  }

  private imports(): string {
    const lines = Object.entries(EXPORTS).flatMap(([file, names]) => {
      const wanted = names.filter((name) => this.used.has(name.replace('type ', '')));
      if (wanted.length === 0) return [];
      const onlyTypes = wanted.every((name) => name.startsWith('type '));
      const list = wanted.map((name) => (onlyTypes ? name.replace('type ', '') : name));
      const from = ` from '${this.place.runtime}/${file}';`;
      const start = onlyTypes ? 'import type' : 'import';
      const flat = `${start} { ${list.join(', ')} }${from}\n`;
      return [
        flat.length <= 111 ? flat : `${start} {\n${list.map((name) => `  ${name},\n`).join('')}}${from}\n`,
      ];
    });
    const functions = [...this.customs].flatMap((name) => [`${name}FromHub`, `${name}ToHub`]).sort();
    if (functions.length > 0) {
      const flat = `import { ${functions.join(', ')} } from '${this.place.userFile}';\n`;
      lines.unshift(
        flat.length <= 111
          ? flat
          : `import {\n${functions.map((name) => `  ${name},\n`).join('')}} from '${this.place.userFile}';\n`,
      );
    }
    return lines.join('');
  }
}

/** The converter of a spoke as a TypeScript module. */
export function converterModule(plan: ConversionPlan, types: SharedType[], place: ConverterPlace): string {
  return new Emitter(plan, types, place).module();
}

/** Words that cannot be the name of a constant. */
const WORDS = (
  'break case catch class const continue debugger default delete do else enum export extends false finally for function if ' +
  'implements import in instanceof interface let new null package private protected public return static super switch this ' +
  'throw true try typeof var void while with yield await async eval arguments undefined NaN Infinity Object Set Map converter ' +
  'hub spoke aside before at failures stored read kept was now'
).split(' ');
