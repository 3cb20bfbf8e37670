import { isObject } from '../../../templates/runtime/model/schema';
import { closest } from '../../../templates/runtime/model/suggest';
import { PARTS } from '../../model/fields';
import type { Path } from '../../model/problem';
import type { Json, JsonObject } from '../../model/project';
import { quoted } from '../../model/quoted';
import { parseFactor, valueOf } from './invert-rule';
import { parsePath, type RulePath, type Step } from './path';
import {
  type Form,
  FORMS,
  membersOf,
  type Report,
  type Rule,
  type RuleName,
  type RuleOptions,
  RULES,
  type Side,
  SIDES,
} from './rule';

/** Reads the rules of a spoke as they stand in project.yaml; what is wrong with one is reported and it is left out. */
export function parseRules(raw: Json[], types: string[], report: Report): Rule[] {
  const rules: Rule[] = [];
  raw.forEach((entry, index) => {
    const rule = new RuleReader(['conversion', index], types, report).read(entry, index);
    if (rule !== undefined) rules.push(rule);
  });
  return rules;
}

class RuleReader {
  private failed = false;

  constructor(
    private readonly at: Path,
    private readonly types: string[],
    private readonly report: Report,
  ) {}

  read(entry: Json, index: number): Rule | undefined {
    const names = isObject(entry) ? Object.keys(entry) : [];
    if (!isObject(entry) || names.length !== 1) {
      const hint = `an entry of conversion is one rule, such as \`- ${FORMS.rename.example}\``;
      this.problem([], names.length > 1 ? 'several rules in one entry' : 'this is not a rule', hint);
      return undefined;
    }
    const [name] = names;
    if (!isRuleName(name)) {
      const hint = `${suggestion(name, RULES)}The rules are ${RULES.join(', ')}.`;
      this.problem([name], `unknown rule ${quoted(name)}`, hint);
      return undefined;
    }
    const form = FORMS[name];
    const members = entry[name];
    if (!isObject(members)) {
      this.problem([name], `the rule ${name} needs its fields`, `such as \`- ${form.example}\``);
      return undefined;
    }
    return this.rule(name, form, members, index);
  }

  private rule(name: RuleName, form: Form, members: JsonObject, index: number): Rule | undefined {
    const sides = form.sides === 'spoke' ? (['spoke'] as const) : SIDES;
    const known = [...sides, ...membersOf(form)];
    for (const key of Object.keys(members)) {
      if (known.includes(key)) continue;
      const hint =
        name === 'drop' && key === 'hub'
          ? 'no rule is needed: a field that only the hub has is hidden and does not change'
          : `${suggestion(key, known)}${name} takes ${known.join(', ')}.`;
      this.problem([name, key], `${name} has no ${quoted(key)}`, hint, true);
    }
    // A missing member may stand under a wrong key, which is reported already.
    if (this.failed) return undefined;
    const given = SIDES.filter((side) => members[side] !== undefined);
    if (form.sides === 'either' ? given.length !== 1 : sides.some((side) => !given.includes(side))) {
      const wanted = form.sides === 'either' ? 'one of hub and spoke' : sides.join(' and ');
      this.problem([name], `the rule ${name} needs ${wanted}`, `such as \`- ${form.example}\``);
    }
    for (const key of form.needs ?? []) {
      if (members[key] === undefined) {
        this.problem([name], `the rule ${name} needs ${quoted(key)}`, `such as \`- ${form.example}\``);
      }
    }
    const hub = this.paths(name, form, members, 'hub');
    const spoke = this.paths(name, form, members, 'spoke');
    const options = this.options(name, members);
    const [hubRoot, spokeRoot] = [this.root(name, 'hub', hub), this.root(name, 'spoke', spoke)];
    this.checkRoots(name, hubRoot, spokeRoot);
    if (this.failed) return undefined;
    const stepsOf = (paths: RulePath[]): Step[][] => paths.map(({ steps }) => steps);
    return { name, index, hubRoot, spokeRoot, hub: stepsOf(hub), spoke: stepsOf(spoke), options };
  }

  private paths(name: RuleName, form: Form, members: JsonObject, side: Side): RulePath[] {
    const value = members[side];
    if (value === undefined) return [];
    const texts = form.several && Array.isArray(value) ? value : [value];
    if (texts.length === 0) this.problem([name, side], 'no field is named', `such as \`- ${form.example}\``);
    return texts.flatMap((text, i) => {
      const at = texts === value ? [name, side, i] : [name, side];
      const path = typeof text === 'string' ? parsePath(text) : undefined;
      if (path !== undefined && this.knownRoot(path.root, at) && path.steps.length > 0) return [path];
      if (path !== undefined && path.steps.length > 0) return [];
      const hint =
        'a path is dotted from spec, status or a shared type; steps are .field, [], [key=value], {} and {key}; quote it when it has brackets or braces';
      const shown = typeof text === 'string' ? quoted(text) : 'this';
      const message = path === undefined ? `${shown} is not a path` : `${shown} names no field`;
      if (path === undefined || !this.failed) this.problem(at, message, hint);
      return [];
    });
  }

  private knownRoot(root: string, at: Path): boolean {
    const roots = [...PARTS, ...this.types];
    if (roots.includes(root)) return true;
    const hint = `${suggestion(root, roots)}A path starts from spec, status or a shared type.`;
    this.problem(at, `unknown start ${quoted(root)} of a path`, hint);
    return false;
  }

  private root(name: RuleName, side: Side, paths: RulePath[]): string | undefined {
    const root = paths[0]?.root;
    if (paths.some((path) => path.root !== root)) {
      this.problem(
        [name, side],
        'the fields of a rule must start from the same part',
        'spec, status or one shared type',
      );
    }
    return root;
  }

  private checkRoots(name: RuleName, hub: string | undefined, spoke: string | undefined): void {
    if (hub === undefined || spoke === undefined || hub === spoke) return;
    const [isHubPart, isSpokePart] = [hub, spoke].map((root) => (PARTS as readonly string[]).includes(root));
    if (!isHubPart && !isSpokePart) return;
    const both = isHubPart && isSpokePart;
    const message = both
      ? 'a rule cannot join spec and status'
      : 'both paths must start from spec, status or shared types';
    const hint = both
      ? 'a write to the resource changes only its spec, one to /status only its status'
      : `a rule below the type ${isHubPart ? spoke : hub} names a type on both sides`;
    this.problem([name], message, hint);
  }

  private options(name: RuleName, members: JsonObject): RuleOptions {
    const options: RuleOptions = {};
    const { values, otherwise, factor, format, separator, value } = members;
    if (name === 'map' && values !== undefined) {
      if (isObject(values) && Object.keys(values).length > 0)
        options.values = Object.entries(values).flatMap(([hub, spoke]) =>
          (Array.isArray(spoke) ? spoke : [spoke]).map((one): [string, Json] => [hub, one]),
        );
      else
        this.problem(
          [name, 'values'],
          'values must be a mapping of hub values to spoke values',
          `such as \`- ${FORMS.map.example}\``,
        );
    }
    if ((name === 'map' || name === 'cast') && otherwise !== undefined) {
      const keys: readonly string[] = SIDES;
      if (isObject(otherwise) && Object.keys(otherwise).every((key) => keys.includes(key)))
        options.otherwise = otherwise;
      else
        this.problem(
          [name, 'otherwise'],
          'otherwise must be a mapping with hub and spoke',
          `such as \`otherwise: { ${keys.map((key) => `${key}: …`).join(', ')} }\``,
        );
    }
    if (name === 'scale' && factor !== undefined) {
      const parsed = parseFactor(factor);
      if (parsed !== undefined) options.factor = valueOf(parsed);
      else
        this.problem(
          [name, 'factor'],
          'factor must be a number other than 0',
          'hub = spoke × factor; a fraction is written as 1/60',
        );
    }
    if (name === 'cast' && format !== undefined) {
      if (format === 'duration') options.format = format;
      else this.problem([name, 'format'], `unknown format ${quoted(format)}`, 'the only format is duration');
    }
    if (name === 'join' && separator !== undefined) {
      if (typeof separator === 'string' && separator !== '') options.separator = separator;
      else this.problem([name, 'separator'], 'separator must be a non-empty string', 'such as " "');
    }
    if (name === 'default' && value !== undefined) options.value = value;
    if (members['hubs'] !== undefined) this.hubs(name, members['hubs']);
    for (const member of ['name', 'inverse'] as const) {
      const given = members[member];
      if (name !== 'custom' || given === undefined) continue;
      if (typeof given === 'string' && /^[a-z][A-Za-z0-9]*$/.test(given)) options[member] = given;
      else
        this.problem(
          [name, member],
          `${member} must be the prefix of two function names`,
          'use letters and digits, starting with a lowercase letter, such as `position`',
        );
    }
    return options;
  }

  /** Reads the rules for other storage versions, to report what is wrong with them. */
  private hubs(name: RuleName, hubs: Json): void {
    if (!isObject(hubs) || !Object.values(hubs).every(Array.isArray)) {
      const hint = 'such as `hubs: { v2: [{ rename: { hub: spec.a, spoke: spec.b } }] }`';
      this.problem([name, 'hubs'], 'hubs is a mapping of versions to lists of rules', hint);
      return;
    }
    for (const [version, rules] of Object.entries(hubs)) {
      parseRules(rules as Json[], this.types, ({ path: [, ...path], isKey, message, hint }) =>
        this.problem([name, 'hubs', version, ...path], message, hint, isKey),
      );
    }
  }

  private problem(path: Path, message: string, hint?: string, isKey?: boolean): void {
    this.failed = true;
    this.report({ path: [...this.at, ...path], isKey, message, hint });
  }
}

/** Returns the start of a hint for an unknown name; empty where no known one is near. */
function suggestion(name: string, known: readonly string[]): string {
  const meant = closest(name, known);
  return meant === undefined ? '' : `did you mean ${quoted(meant)}? `;
}

function isRuleName(name: string): name is RuleName {
  return (RULES as readonly string[]).includes(name);
}
