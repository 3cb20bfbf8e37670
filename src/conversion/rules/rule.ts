import type { Mistake, Path } from '../../model/problem';
import type { Json } from '../../model/project';
import { pathText, type Step } from './path';

/** The two sides of a conversion. */
export const SIDES = ['hub', 'spoke'] as const;

/** A side of a conversion. */
export type Side = (typeof SIDES)[number];

/** The opposite of each side. */
export const OPPOSITE = { hub: 'spoke', spoke: 'hub' } as const;

/** The names of the rules of conversion.md. */
export const RULES = [
  'rename',
  'map',
  'scale',
  'cast',
  'wrap',
  'join',
  'index',
  'default',
  'drop',
  'custom',
] as const;

/** The name of a rule. */
export type RuleName = (typeof RULES)[number];

/** One rule of a spoke. Its paths are below its roots. */
export interface Rule {
  name: RuleName;
  /** Its place in the spoke's list. */
  index: number;
  /** Where the hub's paths start: `spec`, `status` or a shared type; undefined for a rule of the spoke alone. */
  hubRoot: string | undefined;
  spokeRoot: string | undefined;
  hub: Step[][];
  spoke: Step[][];
  options: RuleOptions;
}

/** A value for each side, as far as there is one. */
export type Sides = { hub?: Json; spoke?: Json };

/** The members of rules besides their paths. */
export interface RuleOptions {
  /** `map`: hub value as text, spoke value. */
  values?: [hub: string, spoke: Json][];
  otherwise?: Sides;
  factor?: number;
  format?: 'duration';
  separator?: string;
  /** `default`. */
  value?: Json;
  /** `custom`. */
  name?: string;
  /** `custom`: the name of the rule in the other direction, for when this version is the storage version. */
  inverse?: string;
}

/** Returns the paths of one side of a rule as they are written. */
export function pathsOf(rule: Rule, side: Side): string[] {
  return rule[side].map((steps) => pathText(rule[`${side}Root`]!, steps));
}

/** Returns where a rule stands below its version, or something in it. */
export function ruleAt({ index, name }: Rule, ...inside: Path): Path {
  return ['conversion', index, name, ...inside];
}

/** Something wrong with the conversion of a spoke, at a place below the kind's version. */
export interface ConversionProblem extends Mistake {
  /** The version below which `path` is: the spoke's, except for a field that only the hub has. */
  version: string;
  path: Path;
  /** True for a problem of the key at the path, not of its value. */
  isKey?: boolean;
}

/** Takes problems as they are found. */
export type Report = (problem: Omit<ConversionProblem, 'version'> & { version?: string }) => void;

/** The hint for a field that two rules name. */
export const NAMED_ONCE = 'a field is named by at most one rule besides default';

/** The form of a rule: its sides, and its other members. */
export interface Form {
  /** The sides that a rule has; `several` allows more than one path on each. */
  sides: 'both' | 'either' | 'spoke';
  several?: boolean;
  needs?: string[];
  may?: string[];
  example: string;
}

/** The form of every rule. */
export const FORMS: { [name in RuleName]: Form } = {
  rename: { sides: 'both', example: 'rename: { hub: spec.location, spoke: spec.site }' },
  map: {
    sides: 'both',
    needs: ['values'],
    may: ['otherwise'],
    example: 'map: { hub: spec.tier, spoke: spec.level, values: { gold: 1, silver: 2 } }',
  },
  scale: {
    sides: 'both',
    needs: ['factor'],
    example: 'scale: { hub: spec.timeoutMs, spoke: spec.timeoutSeconds, factor: 1000 }',
  },
  cast: {
    sides: 'both',
    may: ['otherwise', 'format'],
    example: 'cast: { hub: spec.port, spoke: spec.port, otherwise: { spoke: 0 } }',
  },
  wrap: { sides: 'both', example: 'wrap: { hub: spec.addresses, spoke: spec.address }' },
  join: {
    sides: 'both',
    several: true,
    needs: ['separator'],
    example: 'join: { hub: [spec.firstName, spec.lastName], spoke: spec.fullName, separator: " " }',
  },
  index: { sides: 'both', example: 'index: { hub: spec.labels, spoke: spec.labelList }' },
  default: { sides: 'either', needs: ['value'], example: 'default: { hub: spec.region, value: eu-1 }' },
  drop: { sides: 'spoke', example: 'drop: { spoke: spec.legacyId }' },
  custom: {
    sides: 'both',
    several: true,
    needs: ['name'],
    may: ['inverse'],
    example: 'custom: { hub: [spec.lat, spec.lon], spoke: [spec.position], name: position }',
  },
};

/** Returns the members of a rule besides its sides. All but `drop` may have `hubs`, their successors under other hubs. */
export function membersOf({ sides, needs = [], may = [] }: Form): string[] {
  return [...needs, ...may, ...(sides === 'spoke' ? [] : ['hubs'])];
}
