import { filled } from '../rules/fits';
import { below, EACH, type LocalRule, VALUES } from '../rules/local-rules';
import { fieldStep } from '../rules/path';
import type { Rule } from '../rules/rule';
import { type Slot, typesOf } from '../rules/slot';
import { depth, fittingRules, valueRules } from './fitting-rules';
import type { LensPlan } from './plan';
import type { PairPlanner } from './planning';

/** The rule `wrap`: a list on one side, its element on the other. */
export function wrapRule(
  planner: PairPlanner,
  rule: Rule,
  hub: Slot,
  spoke: Slot,
  inside: LocalRule[],
): LensPlan | undefined {
  const [one, other] = [depth(hub.type), depth(spoke.type)];
  if (Math.abs(one - other) !== 1) {
    const message = `wrap needs a list on one side and its element on the other; ${typesOf(hub, spoke)}`;
    return planner.problem(rule, [], message, fittingRules(hub, spoke, planner.types, rule));
  }
  const list = one > other ? hub : spoke;
  const inner =
    list === hub
      ? planner.pair(planner.types.inside(hub), spoke, below(inside, [EACH], []), rule)
      : planner.pair(hub, planner.types.inside(spoke), below(inside, [], [EACH]), rule);
  if (inner === undefined) return undefined;
  const key = list.type.kind === 'list' ? list.type.key : undefined;
  const options = { inner, required: list.required, key };
  if (list === hub) return { kind: 'firstOfHub', ...options, presets: [] };
  const presets = hub.default === undefined ? [] : [filled(hub.default, hub, planner.types)];
  return { kind: 'firstOfSpoke', ...options, presets };
}

/** The rule `index`: a map on one side, a list with a key on the other, without what other rules name by `except`. */
export function indexRule(
  planner: PairPlanner,
  rule: Rule,
  [hub, spoke]: [hub: Slot, spoke: Slot],
  inside: LocalRule[],
  except: string[] = [],
): LensPlan | undefined {
  const fail = (message: string, hint?: string) => planner.problem(rule, [], message, hint);
  const fitting = () => fittingRules(hub, spoke, planner.types, rule);
  const [map, list] = hub.type.kind === 'map' ? [hub, spoke] : [spoke, hub];
  if (map.type.kind !== 'map' || list.type.kind !== 'list') {
    return fail(
      `index needs a map on one side and a list with a key on the other; ${typesOf(hub, spoke)}`,
      fitting(),
    );
  }
  const { key } = list.type;
  const element = planner.types.inside(list);
  const fields = planner.types.fields(element.type);
  if (fields === undefined || key === undefined) {
    const giveKey = 'give it `key: <field>`, the field of its elements that becomes the key of the map';
    return fail(`the list ${list.text} has no key`, fields === undefined ? fitting() : giveKey);
  }
  const type = fields.find(({ name }) => name === key)?.type.kind;
  if (type !== 'string' && type !== 'integer')
    return fail(`the key ${key} of ${list.text} is neither a string nor an integer`);
  const others = fields.filter(({ name }) => name !== key);
  const rest: Slot = { ...element, type: { kind: 'object', fields: others } };
  const values = planner.types.inside(map);
  const onHub = map === hub;
  let rules = onHub ? below(inside, [VALUES], [EACH]) : below(inside, [EACH], [VALUES]);
  if (
    planner.types.fields(values.type) === undefined &&
    rules.every((one) => [...one.hub, ...one.spoke].every((path) => path.length > 0))
  ) {
    if (others.length !== 1) {
      const all = others.map(({ name }) => name).join(', ') || 'no other field';
      const found = valueRules(hub, spoke, planner.types)?.map((one) => `\`- ${one}\``);
      return fail(
        `it is not clear which field of ${element.text} is the value of ${map.text}: ${all}`,
        found === undefined ? fitting() : `add ${found.join(' and ')}`,
      );
    }
    const field = [fieldStep(others[0].name)];
    const rename: Rule = { ...rule, name: 'rename' };
    rules = [...rules, { rule: rename, hub: onHub ? [[]] : [field], spoke: onHub ? [field] : [[]] }];
  }
  const inner = onHub ? planner.pair(values, rest, rules, rule) : planner.pair(rest, values, rules, rule);
  return inner && { kind: onHub ? 'mapAsList' : 'listAsMap', inner, index: { key, type, except } };
}
