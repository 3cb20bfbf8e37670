import type { Path } from '../../model/problem';
import type { LocalRule } from '../rules/local-rules';
import type { Report, Rule, Side } from '../rules/rule';
import type { Slot, Types } from '../rules/slot';
import type { LensPlan, Selected } from './plan';

/** A field that only one version has, for suggestions. */
export interface OneSided {
  side: Side;
  slot: Slot;
  /** The lists and maps that the field is in, in both versions: a rename stays within them. */
  elements: string;
  /** True for a required field that nothing supplies. */
  missing: boolean;
  /** True for a field that a rule `default` supplies. */
  ruled: boolean;
}

/** Plans pairs of values. The planners of objects, wraps and indexes call it for the values inside. */
export interface PairPlanner {
  readonly types: Types;
  readonly report: Report;
  /** Reports a problem of a rule, or of a member of it. */
  problem(rule: Rule, path: Path, message: string, hint?: string): undefined;
  /** The rules that found their place. */
  readonly used: Set<Rule>;
  readonly oneSided: OneSided[];
  /** The rules that start from a place on each side. */
  rulesFrom(hub: string, spoke: string): LocalRule[];
  pair(hub: Slot, spoke: Slot, inside: LocalRule[], because: Rule | undefined): LensPlan | undefined;
  /** Plans two lists or two maps of which rules may name single elements or entries. */
  selective(
    hub: Slot,
    spoke: Slot,
    inside: LocalRule[],
    because: Rule | undefined,
    selected?: Selected<string, LocalRule[]>,
  ): LensPlan | undefined;
  /** Plans a rule between two values; `inside` are the rules below them. */
  byRule(rule: Rule, hub: Slot, spoke: Slot, inside: LocalRule[]): LensPlan | undefined;
}
