import { PARTS } from '../../model/fields';
import type { KindVersion, SharedType } from '../../model/project';
import { rootSlot } from '../plan/conversion';
import { type ConversionPlan, lensesInside, type LensPlan, objectOf, STEPS_INSIDE } from '../plan/plan';
import { type Slot, Types } from '../rules/slot';

/** The objects of a version that correspond to values of the hub of a shared type. */
export class TypePairs {
  /** The paths of the hub where it has a shared type and the version an object of its own. */
  readonly places = new Set<string>();
  private readonly names = new Map<string, Set<string>>();
  private readonly seen = new Set<unknown>();
  private readonly types: Types;

  /** `plan` is the one between the two versions; undefined where their rules have problems. */
  constructor(plan: ConversionPlan | undefined, hub: KindVersion, version: KindVersion, types: SharedType[]) {
    this.types = new Types(types);
    const root = (fields: KindVersion, part: string): Slot => rootSlot(part, fields, this.types);
    if (plan !== undefined)
      for (const part of PARTS) this.visit(plan[part], root(hub, part), root(version, part));
  }

  /**
   * Returns the version's types that correspond to a type of the hub: the type itself where there are none. The spec and
   * the status correspond to themselves.
   */
  of(root: string): string[] {
    return [...(this.names.get(root) ?? [root])];
  }

  /** Returns the type of the hub that a type of the version corresponds to. */
  hubTypeOf(root: string): string {
    return [...this.names].find(([, names]) => names.has(root))?.[0] ?? root;
  }

  private visit(lens: LensPlan, hub: Slot, spoke: Slot): void {
    const pair = this.named(hub, spoke);
    const object = objectOf(lens);
    const id = object ?? pair?.id;
    if (id !== undefined && this.seen.has(id)) return;
    this.seen.add(id);
    for (const link of object?.links ?? []) this.visit(link.lens, link.hub.slot, link.spoke.slot);
    if (lens.kind === 'copy') this.visitCopied(pair?.hub ?? hub, pair?.spoke ?? spoke);
    if (!('inner' in lens)) return;
    const [one, other] = STEPS_INSIDE[lens.kind];
    const inside = (slot: Slot, step: string): Slot => (step === '' ? slot : this.types.inside(slot));
    for (const inner of lensesInside(lens)) this.visit(inner, inside(hub, one), inside(spoke, other));
  }

  /** Visits what is inside of values of the same shape. */
  private visitCopied(hub: Slot, spoke: Slot): void {
    const theirs = new Map(this.types.fields(spoke.type)?.map((field) => [field.name, field]));
    for (const field of this.types.fields(hub.type) ?? []) {
      const twin = theirs.get(field.name);
      if (twin === undefined) continue;
      this.visit({ kind: 'copy' }, this.types.field(hub, field), this.types.field(spoke, twin));
    }
    if (hub.type.kind === 'list' || hub.type.kind === 'map')
      this.visit({ kind: 'copy' }, this.types.inside(hub), this.types.inside(spoke));
  }

  /** Notes what the version has for a shared type of the hub. Returns two types as the roots of paths. */
  private named(hub: Slot, spoke: Slot): { id: string; hub: Slot; spoke: Slot } | undefined {
    if (hub.type.kind !== 'ref') return undefined;
    if (spoke.type.kind === 'object') this.places.add(hub.text);
    if (spoke.type.kind !== 'ref') return undefined;
    const [one, other] = [hub.type.name, spoke.type.name];
    this.names.set(one, (this.names.get(one) ?? new Set()).add(other));
    return { id: `${one} ${other}`, hub: { ...hub, text: one }, spoke: { ...spoke, text: other } };
  }
}
