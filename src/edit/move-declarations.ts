import type { ConversionPlan } from '../conversion/plan/plan';
import { type Crossing, crossing } from '../conversion/reports/crossing';
import { fieldSteps } from '../model/field-steps';
import type { Mistake, Path } from '../model/problem';
import type { Declarations, DeclaredField, FieldType, Kind, KindVersion, SharedType } from '../model/project';
import { DECLARATIONS, WORDS } from '../plan/check-declared';
import type { KindText } from './project-text';
import { addPair, appendItem, replaceValue } from './yaml-edit';
import { valueAt } from './yaml-source';

/** The two versions of a kind of which the second becomes the storage version, and the conversion between them. */
export interface HubMove {
  from: KindVersion;
  to: KindVersion;
  plan: ConversionPlan;
  types: SharedType[];
  history: Kind['history'];
}

/** Takes the problem of a declaration or column that cannot be moved, at a place below the kind. */
export type MoveReport = (path: Path, message: string, hint?: string) => void;

/** A field of the new storage version, with the declarations that it has to get. */
interface Addition {
  /** Below the version. */
  path: Path;
  type: FieldType;
  missing: Declarations;
}

/**
 * Returns project.yaml with the declarations of the old storage version of a kind repeated in the new one, which has to have
 * them. Reports those that it cannot have.
 */
export function moveDeclarations(text: string, kind: KindText, move: HubMove, report: MoveReport): string {
  const { from, to, plan, types } = move;
  const additions = new Map<string, Addition>();
  for (const field of from.declared) {
    const found = crossing(plan, 'hub', field.path);
    for (const name of DECLARATIONS) {
      if (field[name] === undefined) continue;
      const refusal = refusalOf(name, field, found, move);
      const { steps } = fieldSteps(from, field.path, types);
      if (refusal !== undefined) report(['versions', from.version, ...steps], refusal.message, refusal.hint);
      else for (const path of found!.spoke) add(additions, path, { name, field }, move);
    }
  }
  const above = [...kind.path, 'versions', to.version];
  return [...additions.values()].reduce((edited, one) => withDeclarations(edited, above, one), text);
}

function refusalOf(
  name: keyof Declarations,
  { path }: DeclaredField,
  found: Crossing | undefined,
  { from, to, types }: HubMove,
): Mistake | undefined {
  const text = `${path.join('.')} is ${WORDS[name]} in ${from.version}`;
  const hint = `the storage version holds declarations: change ${to.version}, or remove this one`;
  if (found === undefined) return { message: `${text}, but ${to.version} has no field for it`, hint };
  const isCarried =
    name === 'immutable' || found.how === 'same' || (name === 'selectable' && found.how === 'converted');
  if (!isCarried) {
    const rule = found.rule === undefined ? 'converted' : `converted by the rule ${found.rule.name}`;
    return { message: `${text}, but ${rule} in ${to.version}`, hint };
  }
  const shared = found.spoke.find((each) => !hasAt(to, each, name) && fieldSteps(to, each, types).sharedType);
  if (shared === undefined) return undefined;
  const { sharedType } = fieldSteps(to, shared, types);
  return {
    message: `${text}, but ${shared.join('.')} of ${to.version} is declared in the type ${sharedType}`,
    hint: 'declare it in the type first',
  };
}

function hasAt(version: KindVersion, path: string[], name: keyof Declarations): boolean {
  const text = path.join('.');
  return version.declared.some((one) => one.path.join('.') === text && one[name] !== undefined);
}

function add(
  additions: Map<string, Addition>,
  path: string[],
  { name, field }: { name: keyof Declarations; field: DeclaredField },
  { to, types }: HubMove,
): void {
  if (hasAt(to, path, name)) return;
  const place = fieldSteps(to, path, types);
  const known = additions.get(path.join('.'));
  additions.set(path.join('.'), {
    path: place.steps,
    type: place.field.type,
    missing: { ...known?.missing, [name]: field[name] },
  });
}

function withDeclarations(text: string, above: Path, { path: below, type, missing }: Addition): string {
  const path = [...above, ...below];
  const { ref, selectable } = missing;
  const rules = (['unique', 'immutable'] as const).filter((name) => missing[name]);
  let edited = asMapping(text, path);
  for (const rule of rules) edited = appendItem(edited, [...path, 'rules'], rule);
  if (selectable) edited = addPair(edited, path, 'selectable', true);
  if (ref === undefined) return edited;
  const holder = type.kind === 'list' ? [...path, 'items'] : path;
  const { kind, onDelete } = ref;
  const value = onDelete === 'restrict' ? kind : { kind, onDelete };
  return addPair(asMapping(edited, holder), holder, 'ref', value);
}

/** Returns project.yaml with a field or element as a mapping: it may be just the name of its type. */
function asMapping(text: string, path: Path): string {
  const value = valueAt(text, path);
  return typeof value === 'string' ? replaceValue(text, path, { type: value }) : text;
}
