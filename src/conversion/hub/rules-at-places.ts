import type { KindVersion, SharedType } from '../../model/project';
import { rootSlot } from '../plan/conversion';
import { parsePath, pathText, type Step, stepsBelow } from '../rules/path';
import { pathsOf } from '../rules/rule';
import { Types } from '../rules/slot';
import { type KnownRule, spokePath, withPaths } from './compose-rules';
import type { TypePairs } from './type-pairs';

/**
 * Returns the new hub's rules below shared types as rules of the fields of these types that a spoke's own rules lead into, or that
 * are no shared types in the spoke, so that the two can be composed: `Address.host` as `spec.address.host`.
 */
export function rulesAtPlaces(
  moved: KnownRule[],
  own: KnownRule[],
  { types, oldHub, newHub }: { types: SharedType[]; oldHub: KindVersion; newHub: KindVersion },
  pairs: { hub: TypePairs; spoke: TypePairs },
): KnownRule[] {
  const found = new Map<string, KnownRule>();
  const known = new Types(types);
  const addAt = (place: string, isWanted: (one: KnownRule) => boolean): void => {
    const type = typeAt(place, oldHub, known);
    for (const [index, one] of moved.entries()) {
      if (one.rule.name === 'default' || one.rule.hubRoot !== type || !isWanted(one)) continue;
      const [root] = pairs.hub.of(parsePath(place)!.root);
      const inHub = spokePath(place, [...moved, ...found.values()], root);
      if (typeAt(inHub, newHub, known) === one.rule.spokeRoot)
        found.set(`${place} ${index}`, placedRule(one, place, inHub));
    }
  };
  for (const place of pairs.spoke.places) addAt(place, () => true);
  const paths = own.flatMap(({ rule }) => rule.hub.map((steps) => ({ root: rule.hubRoot!, steps })));
  for (const { root, steps } of paths)
    for (let length = 1; length < steps.length; length++)
      addAt(pathText(root, steps.slice(0, length)), ({ rule }) =>
        rule.hub.some((path) => stepsBelow(steps.slice(length), path) !== undefined),
      );
  return [...found.values()];
}

/** Returns the name of the shared type at a path; undefined where there is none. */
function typeAt(text: string, version: KindVersion, types: Types): string | undefined {
  const path = parsePath(text);
  if (path === undefined) return undefined;
  const slot = types.follow(rootSlot(path.root, version, types), path.steps);
  return !('message' in slot) && slot.type.kind === 'ref' ? slot.type.name : undefined;
}

/** Returns a rule below a shared type as one below a field of that type, in both versions. */
function placedRule({ rule, raw, ...others }: KnownRule, hub: string, spoke: string): KnownRule {
  const [ours, theirs] = [parsePath(hub)!, parsePath(spoke)!];
  const below = (steps: Step[], paths: Step[][]): Step[][] => paths.map((path) => [...steps, ...path]);
  const placed = {
    ...rule,
    hubRoot: ours.root,
    hub: below(ours.steps, rule.hub),
    spokeRoot: theirs.root,
    spoke: below(theirs.steps, rule.spoke),
  };
  const inHub = withPaths(raw, 'hub', pathsOf(placed, 'hub'));
  return { ...others, rule: placed, raw: withPaths(inHub, 'spoke', pathsOf(placed, 'spoke')) };
}
