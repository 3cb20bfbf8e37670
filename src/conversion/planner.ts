import type { FieldType } from '../model';
import { codecRules } from './codec-rules';
import { below, EACH, type LocalRule, VALUES } from './local-rules';
import { indexRule, wrapRule } from './wrap-index';
import type { Step } from './path';
import type { Leaf, LensPlan, ScopePlan } from './plan';
import type { Report, Rule } from './rule';
import { sameShape } from './same-shape';
import { planScope } from './scope-planner';
import { typeName, type Slot, type Types } from './slot';
import { fittingRules } from './suggestions';

/** The elements of a list, or entries of a map, that rules name one by one. */
export interface Selected {
  /** Of the hub, for other fields of the spoke. */
  except?: string[];
  /** Of the spoke, for other fields of the hub. */
  skip?: string[];
  /** The same on both sides, with the rules below it. */
  special?: [value: string, rules: LocalRule[]][];
}

/** A field that only one version has, for suggestions. */
export interface OneSided {
  side: 'hub' | 'spoke';
  slot: Slot;
  /** Whether it is required and nothing supplies it. */
  missing: boolean;
  /** Whether a rule `default` supplies it. */
  ruled: boolean;
}

/** Plans one spoke: pairs of values become lenses, pairs of objects scopes. */
export class Planner {
  readonly oneSided: OneSided[] = [];
  readonly used = new Set<Rule>();
  private readonly typeScopes = new Map<string, ScopePlan | undefined>();

  constructor(
    readonly types: Types,
    readonly rules: Rule[],
    readonly report: Report,
  ) {}

  /** The pairs of shared types that were met. */
  get typePlans(): ScopePlan[] {
    return [...this.typeScopes.values()].filter((scope) => scope !== undefined);
  }

  /** The rules that start from a place on each side. */
  rulesFrom(hub: string, spoke: string): LocalRule[] {
    return this.rules
      .filter((rule) => (rule.hubRoot ?? hub) === hub && (rule.spokeRoot ?? spoke) === spoke)
      .map((rule) => ({ rule, hub: rule.hub, spoke: rule.spoke }));
  }

  /** Whether two types can be copied whole. */
  canCopy(hub: FieldType, spoke: FieldType): boolean {
    return sameShape(hub, spoke, this.types, (one, other) => this.rulesFrom(one, other).length > 0);
  }

  /** The lens of two values that belong together by path or by `rename`; undefined when a problem was reported. */
  pair(hub: Slot, spoke: Slot, inside: LocalRule[], because: Rule | undefined): LensPlan | undefined {
    const own = inside.find((one) => isWhole(one.hub) && isWhole(one.spoke) && one.rule.name !== 'custom');
    if (own !== undefined) {
      this.used.add(own.rule);
      return this.byRule(
        own.rule,
        hub,
        spoke,
        inside.filter((one) => one !== own),
      );
    }
    if (inside.some((one) => one.hub.some(isEmpty))) {
      return this.boxed('boxedHub', boxedSlot(hub), spoke, boxedRules(inside, 'hub'), because);
    }
    if (inside.some((one) => one.spoke.some(isEmpty))) {
      return this.boxed('boxedSpoke', hub, boxedSlot(spoke), boxedRules(inside, 'spoke'), because);
    }
    if (inside.length === 0 && this.canCopy(hub.type, spoke.type)) return { kind: 'copy' };
    if (this.types.fields(hub.type) && this.types.fields(spoke.type)) return this.objects(hub, spoke, inside);
    if (hub.type.kind === 'list' && spoke.type.kind === 'list')
      return this.lists(hub, spoke, inside, {}, because);
    if (hub.type.kind === 'map' && spoke.type.kind === 'map')
      return this.maps(hub, spoke, inside, {}, because);
    this.differentShapes(hub, spoke, because);
    return undefined;
  }

  /** Two lists, element by element. */
  lists(
    hub: Slot,
    spoke: Slot,
    inside: LocalRule[],
    { except = [], special = [] }: Selected,
    because: Rule | undefined,
  ): LensPlan | undefined {
    const rules = below(inside, [EACH], [EACH]);
    const pair = (more: LocalRule[]) =>
      this.pair(this.types.each(hub), this.types.each(spoke), more, because);
    const element = pair(rules);
    if (element === undefined) return undefined;
    const hubKey = hub.type.kind === 'list' ? hub.type.key : undefined;
    const spokeKey = spoke.type.kind === 'list' ? spoke.type.key : undefined;
    return {
      kind: 'list',
      element,
      hubKey: hubKey ?? keyTwin(element, spokeKey, 'spoke'),
      spokeKey: spokeKey ?? keyTwin(element, hubKey, 'hub'),
      except: except.map((value) => this.types.keyValue(hub, value)),
      special: special.map(([value, more]) => [
        this.types.keyValue(spoke, value),
        pair([...rules, ...more]) ?? element,
      ]),
    };
  }

  /** Two maps, value by value. */
  maps(
    hub: Slot,
    spoke: Slot,
    inside: LocalRule[],
    { except = [], skip = [], special = [] }: Selected,
    because: Rule | undefined,
  ): LensPlan | undefined {
    const rules = below(inside, [VALUES], [VALUES]);
    const pair = (more: LocalRule[]) =>
      this.pair(this.types.values(hub), this.types.values(spoke), more, because);
    const value = pair(rules);
    if (value === undefined) return undefined;
    return {
      kind: 'mapOf',
      value,
      except,
      skip,
      special: special.map(([key, more]) => [key, pair([...rules, ...more]) ?? value]),
    };
  }

  /** The lens of a rule between two values. `inside` are the rules below them. */
  byRule(rule: Rule, hub: Slot, spoke: Slot, inside: LocalRule[]): LensPlan | undefined {
    if (rule.name === 'rename') return this.pair(hub, spoke, inside, rule);
    if (rule.name === 'wrap') return wrapRule(this, rule, hub, spoke, inside);
    if (rule.name === 'index') return indexRule(this, rule, hub, spoke, inside);
    for (const one of inside) {
      const path = ['conversion', one.rule.index, one.rule.name];
      const message = `a rule below ${one.hub.length > 0 ? hub.text : spoke.text}, which the rule ${rule.name} converts as a whole`;
      this.used.add(one.rule);
      this.report({
        path,
        message,
        hint: 'a field is named by at most one rule besides default; remove one of the two',
      });
    }
    return codecRules[rule.name](rule, hub, spoke, this);
  }

  private objects(hub: Slot, spoke: Slot, inside: LocalRule[]): LensPlan {
    if (hub.type.kind !== 'ref' || spoke.type.kind !== 'ref') {
      return { kind: 'scope', scope: planScope(this, hub.text, hub, spoke, inside) };
    }
    const [one, other] = [hub.type.name, spoke.type.name];
    const typeRules = this.rulesFrom(one, other);
    if (inside.length > 0) {
      return { kind: 'scope', scope: planScope(this, hub.text, hub, spoke, [...inside, ...typeRules]) };
    }
    const pair = `${one} ${other}`;
    if (!this.typeScopes.has(pair)) {
      this.typeScopes.set(pair, undefined);
      const slot = (name: string, met: Slot): Slot => ({
        ...met,
        type: { kind: 'ref', name },
        text: name,
        members: undefined,
      });
      this.typeScopes.set(
        pair,
        planScope(
          this,
          one === other ? one : `${one} ${other}`,
          slot(one, hub),
          slot(other, spoke),
          typeRules,
        ),
      );
    }
    return { kind: 'type', scope: () => this.typeScopes.get(pair)! };
  }

  private boxed(
    kind: 'boxedHub' | 'boxedSpoke',
    hub: Slot,
    spoke: Slot,
    rules: LocalRule[],
    because: Rule | undefined,
  ): LensPlan | undefined {
    const inner =
      this.types.fields(hub.type) && this.types.fields(spoke.type)
        ? this.pair(hub, spoke, rules, because)
        : undefined;
    if (inner !== undefined) return { kind, inner };
    const one =
      rules.find(({ hub: paths, spoke: others }) => paths.length > 0 && others.length > 0) ?? rules[0];
    rules.forEach(({ rule }) => this.used.add(rule));
    const message = 'only a field of an object can stand for the elements or values of another list or map';
    this.report({
      path: ['conversion', one.rule.index, one.rule.name],
      message,
      hint: `${hub.text} is of type ${typeName(hub.type)}, ${spoke.text} of type ${typeName(spoke.type)}`,
    });
    return undefined;
  }

  private differentShapes(hub: Slot, spoke: Slot, because: Rule | undefined): void {
    const types = `${typeName(hub.type)} in the storage version, ${typeName(spoke.type)} in this one`;
    if (because !== undefined) {
      const path = ['conversion', because.index, because.name];
      this.report({
        path,
        message: `${hub.text} and ${spoke.text} have different shapes: ${types}`,
        hint: fittingRules(hub, spoke),
      });
      return;
    }
    const same = hub.text === spoke.text ? `${hub.text} has` : `${hub.text} and ${spoke.text} have`;
    this.report({
      path: spoke.at,
      message: `${same} different shapes: ${types}`,
      hint: fittingRules(hub, spoke),
    });
  }
}

/** The hub's or the spoke's field that stands for the key of the other side's list. */
function keyTwin(element: LensPlan, key: string | undefined, side: 'hub' | 'spoke'): string | undefined {
  if (key === undefined) return undefined;
  if (element.kind === 'copy') return key;
  const scope: ScopePlan | undefined =
    element.kind === 'scope' || element.kind === 'type' ? scopeOf(element) : undefined;
  const is = (leaf: Leaf, name: string) =>
    leaf.steps.length === 1 && leaf.steps[0].kind === 'field' && leaf.steps[0].name === name;
  const link = scope?.links.find((one) => one.lens.kind === 'copy' && is(one[side], key));
  const [step] = link?.[side === 'hub' ? 'spoke' : 'hub'].steps ?? [];
  return step?.kind === 'field' ? step.name : undefined;
}

/** The scope of a lens between objects; undefined for a type that is still being planned. */
function scopeOf(lens: { scope: ScopePlan | (() => ScopePlan) }): ScopePlan | undefined {
  return typeof lens.scope === 'function' ? lens.scope() : lens.scope;
}

function boxedSlot(slot: Slot): Slot {
  const { type, rules, required } = slot;
  const value = { name: 'value', type, rules, required: true, default: undefined, description: '' };
  return { ...slot, type: { kind: 'object', fields: [value] }, required, members: undefined, boxed: true };
}

function boxedRules(rules: LocalRule[], side: 'hub' | 'spoke'): LocalRule[] {
  return rules.map((one) => ({
    ...one,
    [side]: one[side].map((path): Step[] => [{ kind: 'field', name: 'value' }, ...path]),
  }));
}

function isEmpty(path: Step[]): boolean {
  return path.length === 0;
}

function isWhole(paths: Step[][]): boolean {
  return paths.length === 1 && paths[0].length === 0;
}
