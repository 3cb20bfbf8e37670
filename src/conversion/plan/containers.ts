import { lastName, type Step, stepsBelow, stepsText } from '../rules/path';
import type { Slot } from '../rules/slot';
import type { Container, Leaf, ObjectPlan } from './plan';

/** A container as it is opened first. */
export function newContainer(steps: Step[], slot: Slot): Container {
  const { kind } = slot.type;
  const holds = kind === 'list' || kind === 'map' ? kind : 'object';
  return { kind: holds, steps, slot, children: [], pair: undefined, defaults: [], elsewhere: [] };
}

/** The container at a place, in a tree; undefined when rules name nothing in it. */
export function findContainer(root: Container, steps: Step[]): Container | undefined {
  if (root.steps.length === steps.length) {
    return stepsText(root.steps) === stepsText(steps) ? root : undefined;
  }
  const child = root.children.find((one) => stepsBelow(steps, one.steps) !== undefined);
  return child && findContainer(child, steps);
}

/** The default of a field, in a tree of containers. */
export function presetOf(root: Container, steps: Step[]): Container['defaults'][number] | undefined {
  const holder = findContainer(root, steps.slice(0, -1));
  return holder?.defaults.find(({ name }) => name === lastName(steps));
}

/** A required container comes with the one that it is in: a default of it, with the defaults inside. */
export function requiredInside(holder: Container): void {
  for (const child of holder.children) {
    requiredInside(child);
    if (!child.slot.required || child.pair !== undefined) continue;
    const fields = Object.fromEntries(child.defaults.map(({ name, value }) => [name, value]));
    const value = child.kind === 'list' ? [] : fields;
    holder.defaults.push({ name: lastName(child.steps), value, rule: undefined });
  }
}

/** Notes, for objects that both sides have, the hub's fields that stand elsewhere in the spoke. */
export function markElsewhere({ hub, links, several }: ObjectPlan): void {
  const places: [hub: Leaf[], spoke: Leaf[]][] = [
    ...links.map((link): [Leaf[], Leaf[]] => [[link.hub], [link.spoke]]),
    ...several.map((one): [Leaf[], Leaf[]] => [one.hub, one.spoke]),
  ];
  const visit = (holder: Container): void => {
    holder.children.forEach(visit);
    const { pair } = holder;
    if (pair === undefined) return;
    const within = (leaf: Leaf) => stepsBelow(leaf.steps, pair.steps) !== undefined;
    const names = new Map<string, boolean>();
    for (const [ours, theirs] of places) {
      for (const leaf of ours) {
        const [next] = stepsBelow(leaf.steps, holder.steps) ?? [];
        if (next?.kind !== 'field') continue;
        names.set(next.name, (names.get(next.name) ?? true) && !theirs.some(within));
      }
    }
    for (const [name, elsewhere] of names) if (elsewhere) holder.elsewhere.push(name);
  };
  visit(hub);
}
