import { isObject } from '../../../templates/runtime/model/schema';
import { closest } from '../../../templates/runtime/model/suggest';
import { PARTS } from '../../model/fields';
import type { Path } from '../../model/problem';
import type { Json, JsonObject } from '../../model/project';
import { quoted } from '../../model/quoted';
import { parseFactor, valueOf } from './invert-rule';
import { parsePath, pathText, type RulePath, type Step, stepsBelow } from './path';
import {
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
    const rule = parseRule(entry, index, types, report);
    if (rule !== undefined) rules.push(rule);
  });
  return rules;
}

function parseRule(entry: Json, index: number, types: string[], report: Report): Rule | undefined {
  const fail = (path: Path, message: string, hint: string): undefined =>
    void report({ path: ['conversion', index, ...path], message, hint });
  const names = isObject(entry) ? Object.keys(entry) : [];
  if (!isObject(entry) || names.length !== 1) {
    const hint = `an entry of conversion is one rule, ${exampleOf('rename')}`;
    return fail([], names.length > 1 ? 'several rules in one entry' : 'this is not a rule', hint);
  }
  const [name] = names;
  if (!isRuleName(name)) {
    const hint = `${suggestion(name, RULES)}The rules are ${RULES.join(', ')}.`;
    return fail([name], `unknown rule ${quoted(name)}`, hint);
  }
  const members = entry[name];
  if (!isObject(members)) return fail([name], `the rule ${name} needs its fields`, exampleOf(name));
  return new RuleReader(name, members, index, types, report).read();
}

/** Reads the members of one rule. */
class RuleReader {
  private failed = false;

  constructor(
    private readonly name: RuleName,
    private readonly members: JsonObject,
    private readonly index: number,
    private readonly types: string[],
    private readonly report: Report,
  ) {}

  read(): Rule | undefined {
    const { name, members, index } = this;
    const form = FORMS[name];
    const sides = form.sides === 'spoke' ? (['spoke'] as const) : SIDES;
    const known = [...sides, ...membersOf(form)];
    for (const key of Object.keys(members)) {
      if (known.includes(key)) continue;
      const hint =
        name === 'drop' && key === 'hub'
          ? 'no rule is needed: a field that only the hub has is hidden and does not change'
          : `${suggestion(key, known)}${name} takes ${known.join(', ')}.`;
      this.problem([key], `${name} has no ${quoted(key)}`, hint, true);
    }
    // A missing member may stand under a wrong key, which is reported already.
    if (this.failed) return undefined;
    const given = SIDES.filter((side) => members[side] !== undefined);
    if (form.sides === 'either' ? given.length !== 1 : sides.some((side) => !given.includes(side))) {
      const wanted = form.sides === 'either' ? 'one of hub and spoke' : sides.join(' and ');
      this.problem([], `the rule ${name} needs ${wanted}`, exampleOf(name));
    }
    for (const key of form.needs ?? []) {
      if (members[key] === undefined)
        this.problem([], `the rule ${name} needs ${quoted(key)}`, exampleOf(name));
    }
    const [hub, spoke] = SIDES.map((side) => this.paths(side));
    const options = this.options();
    if (members['hubs'] !== undefined) this.hubs(members['hubs']);
    const [hubRoot, spokeRoot] = [this.root('hub', hub), this.root('spoke', spoke)];
    this.checkRoots(hubRoot, spokeRoot);
    if (this.failed) return undefined;
    const stepsOf = (paths: RulePath[]): Step[][] => paths.map(({ steps }) => steps);
    return { name, index, hubRoot, spokeRoot, hub: stepsOf(hub), spoke: stepsOf(spoke), options };
  }

  private paths(side: Side): RulePath[] {
    const value = this.members[side];
    if (value === undefined) return [];
    const texts = FORMS[this.name].several && Array.isArray(value) ? value : [value];
    if (texts.length === 0) this.problem([side], 'no field is named', exampleOf(this.name));
    const at = (i: number): Path => (texts === value ? [side, i] : [side]);
    const paths = this.pathsAt(texts, at);
    // Positions of the paths are those of the texts, unless one of these was refused.
    if (paths.length === texts.length) this.checkApart(paths, at);
    return paths;
  }

  /** Refuses a path that leads into another one of the same side. */
  private checkApart(paths: RulePath[], at: (index: number) => Path): void {
    for (const [i, { root, steps }] of paths.entries()) {
      const outer = paths.find(
        (other) => other.root === root && (stepsBelow(steps, other.steps)?.length ?? 0) > 0,
      );
      if (outer === undefined) continue;
      const [inner, around] = [pathText(root, steps), pathText(root, outer.steps)];
      this.problem(
        at(i),
        `${inner} is in ${around}, which the rule names too`,
        `remove it: ${around} includes it`,
      );
    }
  }

  private pathsAt(texts: Json[], place: (index: number) => Path): RulePath[] {
    return texts.flatMap((text, i) => {
      const at = place(i);
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

  private root(side: Side, paths: RulePath[]): string | undefined {
    const root = paths[0]?.root;
    if (paths.some((path) => path.root !== root)) {
      const message = 'the fields of a rule must start from the same part';
      this.problem([side], message, 'spec, status or one shared type');
    }
    return root;
  }

  private checkRoots(hub: string | undefined, spoke: string | undefined): void {
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
    this.problem([], message, hint);
  }

  private options(): RuleOptions {
    const options: RuleOptions = {};
    const { values, otherwise, factor, format, separator, value, name, inverse } = this.members;
    if (isObject(values) && Object.keys(values).length > 0)
      options.values = Object.entries(values).flatMap(([hub, all]) =>
        [all].flat().map((spoke): [hub: string, spoke: Json] => [hub, spoke]),
      );
    else if (values !== undefined)
      this.problem(['values'], 'values must be a mapping of hub values to spoke values', exampleOf('map'));
    const keys: readonly string[] = SIDES;
    if (isObject(otherwise) && Object.keys(otherwise).every((key) => keys.includes(key)))
      options.otherwise = otherwise;
    else if (otherwise !== undefined) {
      const hint = 'such as `otherwise: { hub: …, spoke: … }`';
      this.problem(['otherwise'], 'otherwise must be a mapping with hub and spoke', hint);
    }
    const parsed = factor === undefined ? undefined : parseFactor(factor);
    if (parsed !== undefined) options.factor = valueOf(parsed);
    else if (factor !== undefined) {
      const hint = 'hub = spoke × factor; a fraction is written as 1/60';
      this.problem(['factor'], 'factor must be a number other than 0', hint);
    }
    if (format === 'duration') options.format = format;
    else if (format !== undefined)
      this.problem(['format'], `unknown format ${quoted(format)}`, 'the only format is duration');
    if (typeof separator === 'string' && separator !== '') options.separator = separator;
    else if (separator !== undefined)
      this.problem(['separator'], 'separator must be a non-empty string', 'such as " "');
    if (value !== undefined) options.value = value;
    for (const [member, given] of Object.entries({ name, inverse })) {
      if (given === undefined) continue;
      if (typeof given === 'string' && /^[a-z][A-Za-z0-9]*$/.test(given))
        options[member as 'name' | 'inverse'] = given;
      else {
        const hint = 'use letters and digits, starting with a lowercase letter, such as `position`';
        this.problem([member], `${member} must be the prefix of two function names`, hint);
      }
    }
    return options;
  }

  /** Reads the rules for other storage versions, to report what is wrong with them. */
  private hubs(hubs: Json): void {
    if (!isObject(hubs) || !Object.values(hubs).every(Array.isArray)) {
      const hint = 'such as `hubs: { v2: [{ rename: { hub: spec.a, spoke: spec.b } }] }`';
      this.problem(['hubs'], 'hubs is a mapping of versions to lists of rules', hint);
      return;
    }
    for (const [version, rules] of Object.entries(hubs)) {
      parseRules(rules as Json[], this.types, ({ path: [, ...path], isKey, message, hint }) =>
        this.problem(['hubs', version, ...path], message, hint, isKey),
      );
    }
  }

  private problem(path: Path, message: string, hint?: string, isKey?: boolean): void {
    this.failed = true;
    this.report({ path: ['conversion', this.index, this.name, ...path], isKey, message, hint });
  }
}

/** Returns the end of a hint with an example of a rule. */
function exampleOf(name: RuleName): string {
  return `such as \`- ${FORMS[name].example}\``;
}

/** Returns the start of a hint for an unknown name; empty where no known one is near. */
function suggestion(name: string, known: readonly string[]): string {
  const meant = closest(name, known);
  return meant === undefined ? '' : `did you mean ${quoted(meant)}? `;
}

function isRuleName(name: string): name is RuleName {
  return (RULES as readonly string[]).includes(name);
}
