import type { Path } from '../../model/problem';
import { sameShape } from '../rules/fits';
import { below, EACH, type LocalRule, VALUES } from '../rules/local-rules';
import { fieldStep, type Step, stepsText } from '../rules/path';
import { NAMED_ONCE, OPPOSITE, type Report, type Rule, ruleAt, type Side, SIDES } from '../rules/rule';
import { type Slot, typeName, type Types, typesOf } from '../rules/slot';
import { codecRules } from './codec-rules';
import { fittingRules } from './fitting-rules';
import { planObject } from './object-planner';
import { type LensPlan, objectOf, type ObjectPlan, type Selected } from './plan';
import type { OneSided, PairPlanner } from './planning';
import { indexRule, wrapRule } from './wrap-index';

/** Plans one spoke: pairs of values become lenses, pairs of objects objects. */
export class Planner implements PairPlanner {
  readonly oneSided: OneSided[] = [];
  readonly used = new Set<Rule>();
  private readonly typeObjects = new Map<string, ObjectPlan | undefined>();

  constructor(
    readonly types: Types,
    readonly rules: Rule[],
    readonly report: Report,
  ) {}

  problem(rule: Rule, path: Path, message: string, hint?: string): undefined {
    this.report({ path: ruleAt(rule, ...path), message, hint });
  }

  /** The rules that start from a place on each side. */
  rulesFrom(hub: string, spoke: string): LocalRule[] {
    return this.rules
      .filter((rule) => (rule.hubRoot ?? hub) === hub && (rule.spokeRoot ?? spoke) === spoke)
      .map((rule) => ({ rule, hub: rule.hub, spoke: rule.spoke }));
  }

  /** The lens of two values that belong together by path or by `rename`; undefined when a problem was reported. */
  pair(hub: Slot, spoke: Slot, inside: LocalRule[], because: Rule | undefined): LensPlan | undefined {
    const own = inside.find((one) => isWhole(one.hub) && isWhole(one.spoke) && one.rule.name !== 'custom');
    if (own !== undefined) {
      const others = inside.filter((one) => one !== own);
      this.used.add(own.rule);
      return this.byRule(own.rule, hub, spoke, others);
    }
    for (const side of SIDES)
      if (inside.some((one) => one[side].some(({ length }) => length === 0)))
        return this.boxed(side, { hub, spoke }, inside, because);
    const isRuled = (one: string, other: string): boolean => this.rulesFrom(one, other).length > 0;
    if (inside.length === 0 && sameShape(hub.type, spoke.type, this.types, isRuled)) return { kind: 'copy' };
    if (this.types.fields(hub.type) && this.types.fields(spoke.type)) return this.objects(hub, spoke, inside);
    if ((hub.type.kind === 'list' || hub.type.kind === 'map') && hub.type.kind === spoke.type.kind)
      return this.selective(hub, spoke, inside, because);
    this.differentShapes(hub, spoke, because);
    return undefined;
  }

  /** Plans two lists, element by element, or two maps, value by value. */
  selective(
    hub: Slot,
    spoke: Slot,
    inside: LocalRule[],
    because: Rule | undefined,
    { except, skip, special }: Selected<string, LocalRule[]> = { except: [], skip: [], special: [] },
  ): LensPlan | undefined {
    const isMap = hub.type.kind === 'map';
    const step = isMap ? VALUES : EACH;
    const rules = below(inside, [step], [step]);
    const pair = (more: LocalRule[]) =>
      this.pair(this.types.inside(hub), this.types.inside(spoke), more, because);
    const inner = pair(rules);
    if (inner === undefined) return undefined;
    const selected = {
      except: except.map((value) => this.types.keyValue(hub, value)),
      skip,
      special: special.map(([value, more]): [key: string | number, lens: LensPlan] => [
        this.types.keyValue(hub, value),
        pair([...rules, ...more]) ?? inner,
      ]),
    };
    if (isMap) return { kind: 'mapOf', inner, ...selected };
    const hubKey = hub.type.kind === 'list' ? hub.type.key : undefined;
    const spokeKey = spoke.type.kind === 'list' ? spoke.type.key : undefined;
    return {
      kind: 'list',
      inner,
      hubKey: hubKey ?? keyTwin(inner, spokeKey, 'spoke'),
      spokeKey: spokeKey ?? keyTwin(inner, hubKey, 'hub'),
      ...selected,
    };
  }

  /** The lens of a rule between two values. `inside` are the rules below them. */
  byRule(rule: Rule, hub: Slot, spoke: Slot, inside: LocalRule[]): LensPlan | undefined {
    if (rule.name === 'rename') return this.pair(hub, spoke, inside, rule);
    if (rule.name === 'wrap') return wrapRule(this, rule, hub, spoke, inside);
    if (rule.name === 'index') return indexRule(this, rule, [hub, spoke], inside);
    for (const one of inside) {
      const outer = one.hub.length > 0 ? hub.text : spoke.text;
      this.used.add(one.rule);
      const message = `a rule below ${outer}, which the rule ${rule.name} converts as a whole`;
      this.problem(one.rule, [], message, `${NAMED_ONCE}; remove one of the two`);
    }
    return codecRules[rule.name](rule, hub, spoke, this);
  }

  private objects(hub: Slot, spoke: Slot, inside: LocalRule[]): LensPlan {
    const planned = (rules: LocalRule[]): LensPlan => ({
      kind: 'object',
      object: planObject(this, hub.text, { hub, spoke }, rules),
    });
    if (hub.type.kind !== 'ref' || spoke.type.kind !== 'ref') return planned(inside);
    const [one, other] = [hub.type.name, spoke.type.name];
    const typeRules = this.rulesFrom(one, other);
    if (inside.length > 0) return planned([...inside, ...typeRules]);
    const pair = `${one} ${other}`;
    if (!this.typeObjects.has(pair)) {
      this.typeObjects.set(pair, undefined);
      const slot = (met: Slot, text: string): Slot => ({ ...met, text, members: undefined });
      const roots = { hub: slot(hub, one), spoke: slot(spoke, other) };
      const name = one === other ? one : pair;
      this.typeObjects.set(pair, planObject(this, name, roots, typeRules));
    }
    return { kind: 'type', object: () => this.typeObjects.get(pair)! };
  }

  /** Plans a value that rules name itself as the only field of an object. */
  private boxed(
    side: Side,
    values: { hub: Slot; spoke: Slot },
    inside: LocalRule[],
    because: Rule | undefined,
  ): LensPlan | undefined {
    const [hub, spoke] = SIDES.map((one) => (one === side ? boxedSlot(values[one]) : values[one]));
    const inBox = (path: Step[]): Step[] => [fieldStep('value'), ...path];
    const rules = inside.map((one): LocalRule => ({ ...one, [side]: one[side].map(inBox) }));
    const inner =
      this.types.fields(hub.type) && this.types.fields(spoke.type)
        ? this.pair(hub, spoke, rules, because)
        : undefined;
    if (inner !== undefined) return { kind: side === 'hub' ? 'boxedHub' : 'boxedSpoke', inner };
    const one = rules.find((each) => each.hub.length > 0 && each.spoke.length > 0) ?? rules[0];
    rules.forEach(({ rule }) => this.used.add(rule));
    const message = 'only a field of an object can stand for the elements or values of another list or map';
    return this.problem(one.rule, [], message, typesOf(hub, spoke));
  }

  private differentShapes(hub: Slot, spoke: Slot, because: Rule | undefined): void {
    const types = `${typeName(hub.type)} in the storage version, ${typeName(spoke.type)} in this one`;
    const isOne = because === undefined && hub.text === spoke.text;
    this.report({
      path: because === undefined ? spoke.at : ruleAt(because),
      message: `${isOne ? `${hub.text} has` : `${hub.text} and ${spoke.text} have`} different shapes: ${types}`,
      hint: fittingRules(hub, spoke, this.types, because),
    });
  }
}

/** The hub's or the spoke's field that stands for the key of the other side's list. */
function keyTwin(element: LensPlan, key: string | undefined, side: Side): string | undefined {
  if (key === undefined) return undefined;
  if (element.kind === 'copy') return key;
  const links = objectOf(element)?.links ?? [];
  const link = links.find((one) => one.lens.kind === 'copy' && stepsText(one[side].steps) === key);
  const [step] = link?.[OPPOSITE[side]].steps ?? [];
  return step?.kind === 'field' ? step.name : undefined;
}

function boxedSlot(slot: Slot): Slot {
  const { type, rules, required } = slot;
  const value = { name: 'value', type, rules, required: true, default: undefined, description: '' };
  return { ...slot, type: { kind: 'object', fields: [value] }, required, members: undefined, boxed: true };
}

/** Returns true where a rule names the value itself on a side, and nothing else. */
function isWhole(paths: Step[][]): boolean {
  return paths.length === 1 && paths[0].length === 0;
}
