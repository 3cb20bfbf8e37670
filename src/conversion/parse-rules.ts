import type { Json } from '../model';
import { quoted } from '../quoted';
import { closest } from '../suggest';
import { parsePath, type RulePath } from './path';
import { RULES, type Report, type Rule, type RuleName, type RuleOptions } from './rule';
import { type Form, FORMS } from './rule-forms';

type Members = { [key: string]: Json };

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
    private readonly at: (string | number)[],
    private readonly types: string[],
    private readonly report: Report,
  ) {}

  read(entry: Json, index: number): Rule | undefined {
    const names = isMembers(entry) ? Object.keys(entry) : [];
    if (!isMembers(entry) || names.length !== 1) {
      const hint = `an entry of conversion is one rule, such as \`- ${FORMS.rename.example}\``;
      this.problem([], names.length > 1 ? 'several rules in one entry' : 'this is no rule', hint);
      return undefined;
    }
    const [name] = names;
    if (!isRuleName(name)) {
      const meant = closest(name, RULES);
      const hint = `${meant ? `did you mean ${quoted(meant)}? ` : ''}The rules are ${RULES.join(', ')}.`;
      this.problem([name], `unknown rule ${quoted(name)}`, hint);
      return undefined;
    }
    const form = FORMS[name];
    const members = entry[name];
    if (!isMembers(members)) {
      this.problem([name], `the rule ${name} needs its fields`, `such as \`- ${form.example}\``);
      return undefined;
    }
    return this.rule(name, form, members, index);
  }

  private rule(name: RuleName, form: Form, members: Members, index: number): Rule | undefined {
    const sides = form.sides === 'spoke' ? ['spoke'] : ['hub', 'spoke'];
    const known = [...sides, ...(form.needs ?? []), ...(form.may ?? [])];
    for (const key of Object.keys(members)) {
      if (known.includes(key)) continue;
      const meant = closest(key, known);
      const hint =
        name === 'drop' && key === 'hub'
          ? 'a field that only the hub has is not shown and stays as it is, without a rule'
          : `${meant ? `did you mean ${quoted(meant)}? ` : ''}${name} takes ${known.join(', ')}.`;
      this.problem([name, key], `${name} has no ${quoted(key)}`, hint);
    }
    const given = ['hub', 'spoke'].filter((side) => members[side] !== undefined);
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
    return { name, index, hubRoot, spokeRoot, hub: hub.map(steps), spoke: spoke.map(steps), options };
  }

  private paths(name: RuleName, form: Form, members: Members, side: string): RulePath[] {
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
      const message = path === undefined ? `${shown} is no path` : `${shown} names no field`;
      if (path === undefined || !this.failed) this.problem(at, message, hint);
      return [];
    });
  }

  private knownRoot(root: string, at: (string | number)[]): boolean {
    const roots = ['spec', 'status', ...this.types];
    if (roots.includes(root)) return true;
    const meant = closest(root, roots);
    const hint = `${meant ? `did you mean ${quoted(meant)}? ` : ''}A path starts from spec, status or a shared type.`;
    this.problem(at, `unknown start ${quoted(root)} of a path`, hint);
    return false;
  }

  private root(name: RuleName, side: string, paths: RulePath[]): string | undefined {
    const root = paths[0]?.root;
    if (paths.some((path) => path.root !== root)) {
      this.problem(
        [name, side],
        'the fields of a rule start from the same place',
        'spec, status or one shared type',
      );
    }
    return root;
  }

  private checkRoots(name: RuleName, hub: string | undefined, spoke: string | undefined): void {
    if (hub === undefined || spoke === undefined || hub === spoke) return;
    const parts = ['spec', 'status'];
    if (!parts.includes(hub) && !parts.includes(spoke)) return;
    const both = parts.includes(hub) && parts.includes(spoke);
    const message = both
      ? 'a rule cannot join spec and status'
      : 'both paths start from spec, status or shared types';
    const hint = both
      ? 'a write to the resource changes only its spec, one to /status only its status'
      : `a rule below the type ${parts.includes(hub) ? spoke : hub} names a type on both sides`;
    this.problem([name], message, hint);
  }

  private options(name: RuleName, members: Members): RuleOptions {
    const options: RuleOptions = {};
    const { values, otherwise, factor, format, separator, value } = members;
    if (name === 'map' && values !== undefined) {
      if (isMembers(values) && Object.keys(values).length > 0) options.values = Object.entries(values);
      else
        this.problem(
          [name, 'values'],
          'values is a mapping of hub values to spoke values',
          `such as \`- ${FORMS.map.example}\``,
        );
    }
    if ((name === 'map' || name === 'cast') && otherwise !== undefined) {
      const keys = name === 'map' ? ['hub', 'spoke'] : ['spoke'];
      if (isMembers(otherwise) && Object.keys(otherwise).every((key) => keys.includes(key)))
        options.otherwise = otherwise;
      else
        this.problem(
          [name, 'otherwise'],
          `otherwise is a mapping with ${keys.join(' and ')}`,
          `such as \`otherwise: { ${keys.map((key) => `${key}: …`).join(', ')} }\``,
        );
    }
    if (name === 'scale' && factor !== undefined) {
      if (typeof factor === 'number' && Number.isFinite(factor) && factor !== 0) options.factor = factor;
      else this.problem([name, 'factor'], 'factor is a number other than 0', 'hub = spoke × factor');
    }
    if (name === 'cast' && format !== undefined) {
      if (format === 'duration') options.format = format;
      else this.problem([name, 'format'], `unknown format ${quoted(format)}`, 'the only format is duration');
    }
    if (name === 'join' && separator !== undefined) {
      if (typeof separator === 'string' && separator !== '') options.separator = separator;
      else this.problem([name, 'separator'], 'separator is a text that is not empty', 'such as " "');
    }
    if (name === 'default' && value !== undefined) options.value = value;
    if (name === 'custom' && members.name !== undefined) {
      const given = members.name;
      if (typeof given === 'string' && /^[a-z][A-Za-z0-9]*$/.test(given)) options.name = given;
      else
        this.problem(
          [name, 'name'],
          'name starts the names of two functions',
          'letters and digits, a small letter first, such as `position`',
        );
    }
    return options;
  }

  private problem(path: (string | number)[], message: string, hint?: string): void {
    this.failed = true;
    this.report({ path: [...this.at, ...path], message, hint });
  }
}

function steps(path: RulePath): RulePath['steps'] {
  return path.steps;
}

function isMembers(value: Json | undefined): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRuleName(name: string): name is RuleName {
  return (RULES as readonly string[]).includes(name);
}
