import { createHash } from 'node:crypto';
import type { Field, KindVersion, SharedType } from '../model';
import { quoted } from '../quoted';
import { parseRules } from './parse-rules';
import type { Step } from './path';
import type { ConversionPlan, LensPlan } from './plan';
import { Planner, type OneSided } from './planner';
import type { ConversionProblem, Report, Rule } from './rule';
import { Types, type Slot } from './slot';
import { likeliest, path } from './suggestions';

/** What is known of a spoke's conversion: how it is done, or what is wrong with it. */
export interface Conversion {
  /** Undefined when there are problems. */
  plan: ConversionPlan | undefined;
  problems: ConversionProblem[];
  /** Fields that only one version has, with the likeliest rename; shown by `generate`, never an error. */
  notices: string[];
}

/** The fields of one version that conversion is about; `status` as it is answered, without the server's `version`. */
export type VersionFields = Pick<KindVersion, 'version' | 'spec' | 'status'>;

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
  const parsed = parseRules(
    spoke.conversion,
    sharedTypes.map(({ name }) => name),
    report,
  );
  const rules = parsed.filter((rule) => pathsExist(rule, hub, spoke, types, report));
  const planner = new Planner(types, rules, report);
  const part = (name: 'spec' | 'status'): LensPlan => {
    const root = (fields: VersionFields) => types.root(name, fields[name], [name]);
    return planner.pair(root(hub), root(spoke), planner.rulesFrom(name, name), undefined)!;
  };
  const [spec, status] = [part('spec'), part('status')];
  for (const rule of rules) {
    if (planner.used.has(rule)) continue;
    const root = rule.hubRoot ?? rule.spokeRoot!;
    report({
      path: ['conversion', rule.index, rule.name],
      message: `the type ${rule.spokeRoot ?? root} of this version never stands for ${rule.hubRoot ?? root} of the storage version`,
      hint: 'a rule below a type applies where a field of the one type becomes a field of the other',
    });
  }
  // A mistake in a rule leaves its fields without one: what follows from that is not worth saying.
  if (parsed.length === spoke.conversion.length && rules.length === parsed.length)
    coverage(planner.oneSided, report, hub, spoke);
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
      sharedTypes,
    ]),
    spec,
    status,
    types: planner.typePlans,
  };
  return {
    plan: problems.length === 0 ? plan : undefined,
    problems,
    notices: notices(planner.oneSided, hub.version, spoke.version),
  };
}

/** Of what conversion follows from: descriptions are no part of it. */
function digest(given: unknown): string {
  const text = JSON.stringify(given, (key, value: unknown) => (key === 'description' ? undefined : value));
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** Reports the paths of a rule that name no field. */
function pathsExist(
  rule: Rule,
  hub: VersionFields,
  spoke: VersionFields,
  types: Types,
  report: Report,
): boolean {
  let fine = true;
  const check = (
    side: 'hub' | 'spoke',
    fields: VersionFields,
    root: string | undefined,
    paths: Step[][],
  ): void => {
    paths.forEach((steps, i) => {
      let slot: Slot = rootSlot(root!, fields, types);
      for (const step of steps) {
        const next = types.step(slot, step);
        if ('message' in next) {
          fine = false;
          const at = paths.length > 1 ? [side, i] : [side];
          const message = `${next.message} in ${fields.version}`;
          report({ path: ['conversion', rule.index, rule.name, ...at], message, hint: next.hint });
          return;
        }
        slot = next;
      }
    });
  };
  check('hub', hub, rule.hubRoot, rule.hub);
  check('spoke', spoke, rule.spokeRoot, rule.spoke);
  return fine;
}

function rootSlot(root: string, fields: VersionFields, types: Types): Slot {
  const own: Field[] = root === 'spec' || root === 'status' ? fields[root] : types.type(root).fields;
  return types.root(root, own, [root]);
}

/** Required fields of one version that nothing supplies. */
function coverage(oneSided: OneSided[], report: Report, hub: VersionFields, spoke: VersionFields): void {
  for (const field of oneSided) {
    if (!field.missing) continue;
    const { side, slot } = field;
    const [here, there] = side === 'hub' ? [hub.version, spoke.version] : [spoke.version, hub.version];
    const twin = likeliest(field, oneSided);
    const rename =
      twin &&
      `\`- rename: { hub: ${path(side === 'hub' ? slot : twin.slot)}, spoke: ${path(side === 'hub' ? twin.slot : slot)} }\``;
    const preset = `\`- default: { ${side}: ${path(slot)}, value: … }\``;
    report({
      version: here,
      path: slot.at,
      message: `${slot.text} is required in ${here} and ${there} has nothing for it`,
      hint: `add to the conversion of ${spoke.version}: ${rename ? `${rename}, or ` : ''}${preset}`,
    });
  }
}

function notices(oneSided: OneSided[], hub: string, spoke: string): string[] {
  const told = new Set<OneSided>();
  const lines: string[] = [];
  for (const field of oneSided) {
    if (told.has(field) || field.ruled) continue;
    told.add(field);
    const here = field.side === 'hub' ? hub : spoke;
    const there = field.side === 'hub' ? spoke : hub;
    const twin = likeliest(
      field,
      oneSided.filter((other) => !told.has(other) && !other.ruled),
    );
    if (twin !== undefined) told.add(twin);
    lines.push(
      twin === undefined
        ? `${quoted(field.slot.text)} is in ${here}, not in ${there}`
        : `${quoted(field.slot.text)} is only in ${here}, ${quoted(twin.slot.text)} only in ${there}: rename?`,
    );
  }
  return [...new Set(lines)].map((line) => line.replaceAll('"', '`'));
}
