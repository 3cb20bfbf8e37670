import { Identifiers } from '../identifiers';
import { literal } from '../literal';
import type { SharedType } from '../model';
import { camel, inline, upperFirst } from './code';
import { typeText } from './custom-types';
import { ScopeEmitter } from './emit-scope';
import { lastName, stepsText } from './path';
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
    'gone',
    'keyed',
    'linked',
    'markEmpty',
    'opened',
    'others',
    'placed',
    'presence',
    'present',
    'residue',
    'shown',
    'there',
    'undeclared',
    'unkeyed',
    'withElement',
  ],
  'conversion/converter': ['converterOf', 'type SpokeConverter'],
  'conversion/custom': ['customized'],
  'conversion/indexes': ['listAsMap', 'mapAsList'],
  'conversion/joining': ['joinedInHub', 'joinedInSpoke', 'joinedList'],
  'conversion/lens': ['boxedHub', 'boxedSpoke', 'copy', 'deferred', 'update'],
  'conversion/lists': ['listOf'],
  'conversion/mapping': ['mapping'],
  'conversion/maps': ['mapOf'],
  'conversion/scaling': ['scaling'],
  'conversion/scopes': ['scope', 'type Before', 'type Written', 'whole'],
  'conversion/values': [
    'find',
    'isEmpty',
    'keep',
    'object',
    'orDefault',
    'own',
    'position',
    'set',
    'type Maybe',
  ],
  'conversion/wraps': ['firstOfHub', 'firstOfSpoke'],
  problem: ['type Failure'],
  schema: ['type Json', 'type JsonObject'],
};

/** Writes the converter of a spoke as a TypeScript module: lenses and functions of exactly this kind and version. */
export class Emitter {
  readonly types: Types;
  private readonly parts: string[] = [];
  private readonly used = new Set<string>();
  private readonly customs = new Map<string, string>();
  private readonly identifiers: Identifiers;
  private readonly lensNames = new Map<LensPlan, string>();
  private readonly scopeNames = new Map<ScopePlan, { name: string; done: boolean }>();
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
    const { spokeVersion, hubVersion, spec, status } = this.plan;
    const [specLens, statusLens] = [this.scope(spec), this.scope(status)];
    this.use('converterOf');
    this.use('SpokeConverter');
    const lenses =
      specLens === 'spec' && statusLens === 'status'
        ? '{ spec, status }'
        : `{ spec: ${specLens}, status: ${statusLens} }`;
    this.add(
      `/** ${this.place.kind} between ${spokeVersion} and the storage version ${hubVersion}. */\nexport const converter: SpokeConverter = converterOf(${lenses});`,
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
    const expression = this.expression(plan, hint);
    const name = this.identifiers.claim(hint);
    this.lensNames.set(plan, name);
    const [fn, args] = expression;
    const flat = `const ${name} = ${this.use(fn)}(${args.join(', ')});`;
    this.add(
      flat.length <= 110 ? flat : `const ${name} = ${fn}(\n${args.map((arg) => `  ${arg},\n`).join('')});`,
    );
    return name;
  }

  /** The constant of a rule over several fields. */
  several(link: SeveralLink, base: string): string {
    const known = this.severalNames.get(link);
    if (known !== undefined) return known;
    const { rule } = link;
    const hint =
      rule.name === 'custom'
        ? rule.options.name!
        : camel(base, ...link.spoke.map(({ steps }) => stepsText(steps)));
    const name = this.identifiers.claim(hint);
    this.severalNames.set(link, name);
    if (rule.name === 'custom') this.custom(link, name);
    else {
      const [hub, spoke] = [link.hub, link.spoke].map((leaves) =>
        leaves.map(({ steps }) => stepsText(steps)),
      );
      const inSpoke = link.hub.length > 1;
      const args = [inSpoke ? hub : hub[0], inSpoke ? spoke[0] : spoke, rule.options.separator!].map((arg) =>
        inline(arg),
      );
      this.add(`const ${name} = ${this.use(inSpoke ? 'joinedInSpoke' : 'joinedInHub')}(${args.join(', ')});`);
    }
    return name;
  }

  private custom(link: SeveralLink, name: string): void {
    const own = link.rule.options.name!;
    const [hub, spoke] = [`${upperFirst(own)}Hub`, `${upperFirst(own)}Spoke`];
    if (!this.customs.has(own)) {
      this.customs.set(own, own);
      for (const [type, leaves, version] of [
        [hub, link.hub, this.plan.hubVersion],
        [spoke, link.spoke, this.plan.spokeVersion],
      ] as const) {
        const members = leaves.map(({ steps, slot }) => {
          const sure = slot.required && steps.length === 1;
          return `  ${propertyName(lastName(steps))}${sure ? '' : '?'}: ${typeText(slot, this.types, this)};\n`;
        });
        this.add(
          `/** The fields of ${own} in ${version}. */\nexport interface ${type} {\n${members.join('')}}`,
        );
      }
    }
    const names = (leaves: SeveralLink['hub']) => inline(leaves.map(({ steps }) => lastName(steps)));
    this.add(
      [
        `const ${name} = ${this.use('customized')}<${hub}, ${spoke}>(`,
        `  ${literal(own)},`,
        `  { toHub: ${own}ToHub, fromHub: ${own}FromHub },`,
        `  { hub: ${names(link.hub)}, spoke: ${names(link.spoke)} },`,
        ');',
      ].join('\n'),
    );
  }

  private typeScope(scope: ScopePlan): string {
    const known = this.scopeNames.get(scope);
    return known !== undefined && !known.done
      ? `${this.use('deferred')}(() => ${known.name})`
      : this.scope(scope);
  }

  private scope(scope: ScopePlan): string {
    const known = this.scopeNames.get(scope);
    if (known !== undefined) return known.name;
    const entry = { name: this.identifiers.claim(camel(scope.name)), done: false };
    this.scopeNames.set(scope, entry);
    new ScopeEmitter(this, scope, entry.name).emit();
    entry.done = true;
    return entry.name;
  }

  private expression(plan: LensPlan, hint: string): [fn: string, args: string[]] {
    switch (plan.kind) {
      case 'map': {
        const otherwise = Object.keys(plan.otherwise).length > 0 ? [inline(plan.otherwise)] : [];
        return ['mapping', [literal(plan.pairs, { column: 30 }), ...otherwise]];
      }
      case 'scale':
        return ['scaling', [String(plan.factor), inline({ hub: plan.hub, spoke: plan.spoke })]];
      case 'castFromText':
        return ['castFromText', [literal(plan.meaning), inline(plan.otherwise)]];
      case 'castToText':
        return ['castToText', [literal(plan.meaning)]];
      case 'joinList':
        return ['joinedList', [literal(plan.side), literal(plan.separator)]];
      case 'list': {
        const { hubKey, spokeKey, except } = plan;
        const options = members([
          ['hubKey', hubKey && literal(hubKey)],
          ['spokeKey', spokeKey && literal(spokeKey)],
          ['except', except.length > 0 && inline(except)],
          [
            'special',
            plan.special.length > 0 &&
              `[${plan.special.map(([value, lens]) => `[${literal(value)}, ${this.lens(lens, camel(hint, String(value)))}]`).join(', ')}]`,
          ],
        ]);
        return ['listOf', [this.lens(plan.element, `${hint}Element`), ...options]];
      }
      case 'mapOf': {
        const { except, skip } = plan;
        const options = members([
          ['except', except.length > 0 && inline(except)],
          ['skip', skip.length > 0 && inline(skip)],
          [
            'special',
            plan.special.length > 0 &&
              `[${plan.special.map(([key, lens]) => `[${literal(key)}, ${this.lens(lens, camel(hint, key))}]`).join(', ')}]`,
          ],
        ]);
        return ['mapOf', [this.lens(plan.value, `${hint}Value`), ...options]];
      }
      case 'firstOfHub':
      case 'firstOfSpoke': {
        const options = members([
          ['required', plan.required && 'true'],
          ['key', plan.key && literal(plan.key)],
        ]);
        return [plan.kind, [this.lens(plan.element, `${hint}Element`), ...options]];
      }
      case 'mapAsList':
      case 'listAsMap':
        return [plan.kind, [this.lens(plan.entry, `${hint}Entry`), inline({ ...plan.index })]];
      case 'boxedHub':
      case 'boxedSpoke':
        return [plan.kind, [this.lens(plan.inner, `${hint}Object`)]];
      default:
        throw new Error(`no expression for ${plan.kind}`);
    }
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
    const functions = [...this.customs.keys()].flatMap((name) => [`${name}FromHub`, `${name}ToHub`]).sort();
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

/** An options object of the members that are given; none when there are none. */
function members(entries: [name: string, value: string | false | undefined][]): string[] {
  const given = entries.filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  return given.length === 0 ? [] : [`{ ${given.map(([name, value]) => `${name}: ${value}`).join(', ')} }`];
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

/** Words that cannot be the name of a constant. */
const WORDS = (
  'break case catch class const continue debugger default delete do else enum export extends false finally for function if ' +
  'implements import in instanceof interface let new null package private protected public return static super switch this ' +
  'throw true try typeof var void while with yield await async eval arguments undefined NaN Infinity Object Set Map converter ' +
  'hub spoke aside before at failures stored read kept was now'
).split(' ');
