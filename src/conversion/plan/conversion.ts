import { createHash } from 'node:crypto';
import type { Mistake } from '../../model/problem';
import type { Field, KindVersion, SharedType } from '../../model/project';
import { quoted } from '../../model/quoted';
import { constantKey, wrongKey } from '../rules/element-keys';
import { parseRules } from '../rules/parse-rules';
import { quotedPath, type Step } from '../rules/path';
import {
  type ConversionProblem,
  OPPOSITE,
  type Report,
  type Rule,
  ruleAt,
  type Side,
  SIDES,
} from '../rules/rule';
import { type Slot, Types } from '../rules/slot';
import { customInterfaces, customSignatures, customsOf, shownTypes } from './custom-types';
import type { ConversionPlan, LensPlan } from './plan';
import { Planner } from './planner';
import type { OneSided } from './planning';
import { likeliest } from './suggestions';

/** The conversion of a spoke: its plan, or its problems. */
export interface Conversion {
  /** Undefined when there are problems. */
  plan: ConversionPlan | undefined;
  problems: ConversionProblem[];
  /** The places, in the spoke's list, of rules below a type that corresponds to no other: problems, too. */
  unused: number[];
  /** Fields that only one version has, with the likeliest rename, and functions of rules `custom`; shown by `generate`. */
  notices: string[];
}

/** The fields of one version that are converted: `status` without the server's `version`. */
type VersionFields = Pick<KindVersion, 'version' | 'spec' | 'status'>;

/** The versions of the two sides. */
type Versions = { [side in Side]: VersionFields };

/** Checks the rules of a spoke against the fields of both versions and plans both directions. */
export function planConversion(
  hub: VersionFields,
  spoke: VersionFields & Pick<KindVersion, 'conversion'>,
  sharedTypes: SharedType[],
): Conversion {
  const problems: ConversionProblem[] = [];
  const report: Report = (problem) => {
    const known = problems.some(
      (one) => one.message === problem.message && one.path.join() === problem.path.join(),
    );
    if (!known) problems.push({ version: spoke.version, ...problem });
  };
  const types = new Types(sharedTypes);
  const versions = { hub, spoke };
  const names = sharedTypes.map(({ name }) => name);
  const parsed = parseRules(spoke.conversion, names, report);
  const rules = parsed.filter((rule) => pathsExist(rule, versions, types, report));
  const planner = new Planner(types, rules, report);
  const part = (name: 'spec' | 'status'): LensPlan => {
    const root = (fields: VersionFields) => types.root(name, fields[name], [name]);
    return planner.pair(root(hub), root(spoke), planner.rulesFrom(name, name), undefined)!;
  };
  const [spec, status] = [part('spec'), part('status')];
  const unused = rules.filter((rule) => !planner.used.has(rule));
  for (const rule of unused) reportUnused(rule, planner);
  // A mistake in a rule leaves its fields without one: what follows from that is not worth saying.
  if (parsed.length === spoke.conversion.length && rules.length === parsed.length)
    coverage(planner.oneSided, versions, report);
  const plan: ConversionPlan = {
    hubVersion: hub.version,
    spokeVersion: spoke.version,
    rules: digest([
      hub.version,
      hub.spec,
      hub.status,
      spoke.spec,
      spoke.status,
      spoke.conversion,
      sharedTypes.map(({ name, fields }) => ({ name, fields })),
    ]),
    spec,
    status,
  };
  if (problems.length === 0) customNames(plan, planner);
  return {
    plan: problems.length === 0 ? plan : undefined,
    problems,
    unused: unused.map(({ index }) => index),
    notices: [
      ...notices(planner.oneSided, versions),
      ...(problems.length === 0 ? customNotices(plan, types) : []),
    ],
  };
}

function reportUnused(rule: Rule, planner: Planner): void {
  const { hubRoot, spokeRoot } = rule;
  const [ours, theirs] = [hubRoot ?? spokeRoot, spokeRoot ?? hubRoot];
  const message = `the type ${theirs} of this version never corresponds to ${ours} of the storage version`;
  const hint = 'a rule below a type applies where a field of the one type becomes a field of the other';
  planner.problem(rule, [], message, hint);
}

/** The functions that the rules `custom` need, once for each name. */
function customNotices(plan: ConversionPlan, types: Types): string[] {
  const byName = new Map(customsOf(plan).map((link) => [link.rule.options.name!, link]));
  return [...byName].map(([name, link]) => {
    const functions = customSignatures(link, shownTypes(types)).map((line) => `\n  ${line} { … }`);
    return `\`custom ${name}\` of ${plan.spokeVersion} calls ${functions.length === 2 ? 'two' : 'four'} functions of the kind's own file:${functions.join('')}`;
  });
}

/** Reports rules `custom` that share a name, and with it their functions, but not the names and types of their fields. */
function customNames(plan: ConversionPlan, planner: Planner): void {
  const known = new Map<string, { rule: Rule; text: string }>();
  for (const link of customsOf(plan)) {
    const { rule } = link;
    const name = rule.options.name!;
    const text = customInterfaces(link, plan, shownTypes(planner.types)).join();
    const other = known.get(name);
    if (other === undefined) known.set(name, { rule, text });
    else if (other.text !== text) {
      const message =
        other.rule === rule
          ? `the fields of the rule ${quoted(name)} do not have the same types everywhere`
          : `entry ${other.rule.index + 1} has the name ${quoted(name)} too, with other fields`;
      const hint = `the name stands for the functions ${name}ToHub and ${name}FromHub: rules share it only with fields of the same names and types`;
      planner.problem(rule, ['name'], message, hint);
    }
  }
}

/** Returns a digest of everything that a conversion depends on; descriptions are no part of it. */
function digest(given: unknown): string {
  const text = JSON.stringify(given, (key, value: unknown) => (key === 'description' ? undefined : value));
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** Reports the paths of a rule that name no field. Returns true where there is none. */
function pathsExist(rule: Rule, versions: Versions, types: Types, report: Report): boolean {
  const find = (side: Side, steps: Step[], version: VersionFields): Slot | Mistake => {
    const root = rule[`${side}Root`]!;
    const constant = rule.name === 'default' ? undefined : constantKey(root, steps);
    return (
      constant ?? types.follow(rootSlot(root, version, types), steps, (at, step) => wrongKey(at, step, types))
    );
  };
  const isSwapped = SIDES.every(
    (side) =>
      rule[side].length > 0 &&
      rule[side].every((steps) => !('message' in find(side, steps, versions[OPPOSITE[side]]))),
  );
  const lost = SIDES.flatMap((side) =>
    rule[side].flatMap((steps, i) => {
      const found = find(side, steps, versions[side]);
      if (!('message' in found)) return [];
      const at = rule[side].length > 1 ? [side, i] : [side];
      const message = `${found.message} in ${versions[side].version}`;
      const there = versions[OPPOSITE[side]].version;
      const hint = isSwapped ? `${there} has the field: exchange hub and spoke` : found.hint;
      return [{ path: ruleAt(rule, ...at), message, hint }];
    }),
  );
  lost.forEach(report);
  return lost.length === 0;
}

/** Returns the slot of the spec, the status or a shared type. */
export function rootSlot(root: string, fields: Pick<VersionFields, 'spec' | 'status'>, types: Types): Slot {
  const own: Field[] = root === 'spec' || root === 'status' ? fields[root] : types.type(root).fields;
  return types.root(root, own, [root]);
}

/** Required fields of one version that nothing supplies. */
function coverage(oneSided: OneSided[], versions: Versions, report: Report): void {
  for (const field of oneSided.filter(({ missing }) => missing)) {
    const { side, slot } = field;
    const [here, there] = [versions[side].version, versions[OPPOSITE[side]].version];
    const twin = likeliest(field, oneSided)?.slot;
    const [ours, theirs] = (side === 'hub' ? [slot, twin] : [twin, slot]).map(
      (one) => one && quotedPath(one.text),
    );
    const rename = twin && `\`- rename: { hub: ${ours}, spoke: ${theirs} }\`, or `;
    const preset = `\`- default: { ${side}: ${quotedPath(slot.text)}, value: … }\``;
    report({
      version: here,
      path: slot.at,
      message: `${slot.text} is required in ${here}, but ${there} has no field for it`,
      hint: `add to the conversion of ${versions.spoke.version}: ${rename ?? ''}${preset}`,
    });
  }
}

function notices(oneSided: OneSided[], versions: Versions): string[] {
  const reported = new Set<OneSided>();
  const lines: string[] = [];
  for (const field of oneSided) {
    if (reported.has(field) || field.ruled) continue;
    reported.add(field);
    const here = versions[field.side].version;
    const there = versions[OPPOSITE[field.side]].version;
    const others = oneSided.filter((other) => !reported.has(other) && !other.ruled);
    const twin = likeliest(field, others);
    if (twin !== undefined) reported.add(twin);
    lines.push(
      twin === undefined
        ? `${quoted(field.slot.text)} is in ${here}, not in ${there}`
        : `${quoted(field.slot.text)} is only in ${here}, ${quoted(twin.slot.text)} only in ${there}: rename?`,
    );
  }
  return [...new Set(lines)].map((line) => line.replaceAll('"', '`'));
}
