import { EACH, isUnder, type LocalRule } from '../rules/local-rules';
import { isEvery, quotedPath, type Step, stepsBelow } from '../rules/path';
import { NAMED_ONCE, type Rule, type Side } from '../rules/rule';
import { neverMade } from './defaults';
import { depth } from './fitting-rules';
import type { ObjectPlaces } from './object-places';
import type { Leaf } from './plan';

/** Notes the fields that rules name, and reports those that several name. */
export function claimFields(places: ObjectPlaces): void {
  places.rules.claim(
    (one, other) => isInsideWrap(places, one, other) || isInsideWrap(places, other, one),
    (side, index, { rule, [side]: paths }, other) => {
      const path = paths.length > 1 ? [side, index] : [side];
      const message = `${places.text(side, paths[index])} is named by two rules`;
      const where = `the ${other.rule.name} in entry ${other.rule.index + 1}`;
      places.problem(rule, path, message, `${NAMED_ONCE}; the other is ${where}`);
    },
  );
}

/**
 * Returns true for a rule whose two sides are inside the two sides of a `wrap`: an element of its list, and its
 * single value.
 */
function isInsideWrap(
  places: ObjectPlaces,
  one: LocalRule,
  { rule, hub: [hub], spoke: [spoke] }: LocalRule,
): boolean {
  if (rule.name !== 'wrap') return false;
  const [ours, theirs] = [places.resolve('hub', hub), places.resolve('spoke', spoke)];
  if (ours === undefined || theirs === undefined) return false;
  const isHub = depth(ours.type) > depth(theirs.type);
  const [inHub, inSpoke] = isHub ? [[...hub, EACH], spoke] : [hub, [...spoke, EACH]];
  // A rule of one side, such as drop, has no other place that stands for the whole value.
  const least = one.hub.length === 0 || one.spoke.length === 0 ? 1 : 0;
  const areBelow = (paths: Step[][], above: Step[]) =>
    paths.every((path) => (stepsBelow(path, above)?.length ?? -1) >= least);
  return areBelow(one.hub, inHub) && areBelow(one.spoke, inSpoke);
}

/** Refuses rules below fields that one rule converts as a whole. */
export function refuseInside(places: ObjectPlaces, rule: Rule, hub: Leaf[], spoke: Leaf[]): void {
  for (const one of places.rules.given) {
    const under = (leaves: Leaf[], paths: Step[][]) =>
      leaves.find(({ steps }) => paths.some((path) => isUnder(path, steps)));
    const hit = under(hub, one.hub) ?? under(spoke, one.spoke);
    if (hit === undefined) continue;
    places.rules.remove(one);
    const message = `a rule below ${hit.slot.text}, which the rule ${rule.name} converts as a whole`;
    places.problem(one.rule, [], message, `${NAMED_ONCE}; remove one of the two`);
  }
}

/** Refuses a rule that found no place: its lists or maps do not belong together, or nothing makes what it names. */
export function refuseLeftOver(places: ObjectPlaces, one: LocalRule): void {
  const { rule } = one;
  places.rules.remove(one);
  if (places.rules.isNamed(one)) return;
  const [hub, spoke] = [one.hub[0], one.spoke[0]];
  if (rule.name === 'drop') {
    const message = `${places.text('spoke', spoke)} is in elements or entries that only this version has`;
    places.problem(rule, ['spoke'], message, 'drop the list or map that they are in');
    return;
  }
  if (hub === undefined || spoke === undefined) {
    const side: Side = hub === undefined ? 'spoke' : 'hub';
    neverMade(places, rule, side, places.text(side, one[side][0]));
    return;
  }
  const message = `${places.text('hub', hub)} and ${places.text('spoke', spoke)} are not in the same elements`;
  places.problem(rule, [], message, hintFor(places, one));
}

/** Returns the hint for a rule whose fields are in lists or maps that do not belong together. */
function hintFor(places: ObjectPlaces, { hub, spoke }: LocalRule): string {
  if (hub.length > 1 || spoke.length > 1)
    return 'all fields of the rule must be in the same object, or in the same elements of two lists that belong together';
  const [ours, theirs] = [listsAbove(hub[0]), listsAbove(spoke[0])];
  const areTwins = ours.length === theirs.length && ours.every((one, i) => areAlike(places, one, theirs[i]));
  if (ours.length === 0 || !areTwins)
    return 'both paths must go through the same lists and maps; use wrap for a list and its element, index for a map and a list';
  // If the outer ones belonged together, the rule would be inside their elements.
  const [one, other] = [places.text('hub', ours[0]), places.text('spoke', theirs[0])].map(quotedPath);
  return `join the two first: \`- rename: { hub: ${one}, spoke: ${other} }\``;
}

/** Returns true for two lists or two maps. */
function areAlike(places: ObjectPlaces, hub: Step[], spoke: Step[]): boolean {
  const [one, other] = [places.resolve('hub', hub)?.type.kind, places.resolve('spoke', spoke)?.type.kind];
  return one === other && (one === 'list' || one === 'map');
}

/** The paths of the lists and maps that a path goes through, the outer ones first. */
function listsAbove(path: Step[]): Step[][] {
  return path.flatMap((step, i) => (isEvery(step) ? [path.slice(0, i)] : []));
}
