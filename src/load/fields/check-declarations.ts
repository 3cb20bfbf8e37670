import { isUid } from '../../../templates/runtime/model/resource';
import { MAX_CHARACTERS } from '../../../templates/runtime/store/indexing/key';
import { fieldSteps } from '../../model/field-steps';
import { fieldsAlong, isScalar, isSelectable, typeWords } from '../../model/fields';
import { cycles } from '../../model/graph';
import { uidPrefix } from '../../model/names';
import type { Declarations, Element, Field, Group, Kind, Reference, SharedType } from '../../model/project';
import { didYouMean, listed, quoted } from '../../model/quoted';
import type { Located } from '../yaml/located';
import { type FieldContext, UNKNOWN } from './build-fields';
import { brokenRule } from './check-value';
import { problemAt } from './declaration-place';

/** The kinds that references may name. */
interface Targets {
  group: string;
  /** The kinds of the group, with true for those with unique names. */
  kinds: ReadonlyMap<string, boolean>;
  /** The groups of the kinds of the whole project. */
  groups: ReadonlyMap<string, string>;
}

/** Reports declarations that do not fit their field, whatever its place, and references to unknown kinds. */
export function checkDeclarations({ declarations, places }: FieldContext, targets: Targets): void {
  if (declarations.size === 0) return;
  for (const [node, place] of places) {
    const declared = declarations.get(node) ?? {};
    if (node.type === UNKNOWN) continue;
    if (declared.selectable) checkSelectable(node, place);
    if (declared.ref !== undefined) checkReference(node, declared.ref, place, targets);
    if (isSelectable(declared)) checkLength(node, place);
    if (!('name' in node)) continue;
    if (declared.ref?.onDelete === 'clear') checkClear(node, declared, place);
    if (declared.unique && node.default !== undefined) {
      const message = 'a unique field cannot have a default: only one resource could have it';
      problemAt(place, 'unique', message, 'remove one of the two');
    }
    if (node.type.kind !== 'list') continue;
    const { items } = node.type;
    if (declarations.get(items)?.ref?.onDelete === 'clear') checkElements(node, declared, places.get(items)!);
  }
}

/** Reports a field all of whose values are too long to be indexed. */
function checkLength({ type, rules }: Field | Element, place: Located): void {
  const { min = 0 } = type.kind === 'list' ? type.items.rules : rules;
  const text = type.kind === 'list' ? type.items.type : type;
  if (text.kind !== 'string' || min <= MAX_CHARACTERS) return;
  const message = `selectable, unique and reference fields have at most ${MAX_CHARACTERS} characters`;
  place.keyProblem(message, `the field has min=${min}`);
}

function checkSelectable({ type }: Field | Element, place: Located): void {
  const scalar = type.kind === 'list' ? type.items.type : type;
  if (isScalar(scalar) || scalar === UNKNOWN) return;
  const shown = type.kind === 'list' ? `a list of ${pluralOf(scalar.kind)}` : typeWords(type.kind);
  const hint = 'strings, integers, numbers, booleans, timestamps and lists of these can be selectable';
  problemAt(place, 'selectable', `"selectable" does not apply to ${shown}`, hint);
}

function pluralOf(kind: string): string {
  return kind === 'any' ? 'any values' : kind === 'ref' ? 'objects' : `${kind}s`;
}

function checkReference(node: Field | Element, ref: Reference, place: Located, targets: Targets): void {
  const { type } = node;
  if (type.kind === 'list' && type.items.type.kind === 'string') {
    const hint = `write it at the elements: items: { type: string, ref: ${shownRef(ref)} }`;
    problemAt(place, 'ref', 'a list is not a reference; its elements can be', hint);
  } else if (type.kind !== 'string') {
    const message = `a reference is a string, not ${typeWords(type.kind)}`;
    problemAt(place, 'ref', message, 'use type: string, or the type list with items of it');
  } else if (!targets.kinds.has(ref.kind)) {
    reportUnknown(place, ref.kind, targets);
  } else {
    checkValues(node, ref, place, targets.kinds.get(ref.kind)!);
  }
}

/** Reports a field that cannot be cleared. */
function checkClear(field: Field, { immutable }: Declarations, place: Located): void {
  const reason = field.required ? 'required' : immutable ? 'immutable' : undefined;
  if (reason !== undefined) {
    const message = `onDelete: clear would remove the value of a field that is ${reason}`;
    problemAt(place, 'onDelete', message, `use restrict or cascade, or remove the rule ${reason}`);
  } else if (field.default !== undefined) {
    const message = 'onDelete: clear would remove a value that the default fills in again';
    problemAt(place, 'onDelete', message, 'remove one of the two');
  }
}

/** Reports a list whose elements cannot be cleared. */
function checkElements({ rules: { min = 0 } }: Field, { immutable }: Declarations, items: Located): void {
  const reason = immutable ? 'is immutable' : min > 0 ? `needs at least ${min}` : undefined;
  if (reason === undefined) return;
  const message = `onDelete: clear would remove an element of a list that ${reason}`;
  problemAt(items, 'onDelete', message, 'use restrict or cascade');
}

function shownRef({ kind, onDelete }: Reference): string {
  return onDelete === 'restrict' ? kind : `{ kind: ${kind}, onDelete: ${onDelete} }`;
}

function reportUnknown(place: Located, kind: string, { group, kinds, groups }: Targets): void {
  const at = place.get('ref').text === undefined ? place.get('ref').get('kind') : place.get('ref');
  const other = groups.get(kind);
  if (other !== undefined) {
    at.problem(`${kind} is a kind of the group ${other}`, 'a reference names a kind of its own group');
    return;
  }
  const hint = didYouMean(kind, kinds.keys(), `the kinds of the group are ${listed(kinds.keys())}`);
  at.problem(`the group ${group} has no kind ${quoted(kind)}`, hint);
}

/** Reports rules that no uid or name of a target keeps. */
function checkValues(
  { rules }: Field | Element,
  { kind }: Reference,
  place: Located,
  hasNames: boolean,
): void {
  const { format, min, max, oneof } = rules;
  const prefix = `${uidPrefix(kind)}-`;
  const uid = `${prefix}0123456789abcdef`;
  const isTarget = (value: unknown): boolean =>
    hasNames || (typeof value === 'string' && value.startsWith(prefix) && isUid(value));
  const bounds = hasNames
    ? min !== undefined && min > 253
      ? `min=${min}`
      : undefined
    : brokenRule(uid, { min, max });
  const values = oneof === undefined || oneof.some(isTarget) ? undefined : `oneof=${oneof.join(' ')}`;
  const isOther = format === 'email' || format === 'url' || (format === 'ip' && !hasNames);
  const never = isOther ? format : (bounds ?? values);
  const hint = hasNames ? 'names have at most 253 characters: a-z, 0-9, - and .' : `a uid is such as ${uid}`;
  if (never !== undefined)
    problemAt(place, 'ref', `no ${hasNames ? 'name' : 'uid'} of ${kind} keeps the rule ${never}`, hint);
}

/**
 * Reports required references in a cycle: no resource of these kinds could be the first. A kind that refers to itself is
 * none if its names are unique, since a resource may then refer to itself.
 */
export function checkFirstResources({ kinds, storageVersion, types }: Group, places: Located[]): void {
  const hubOf = ({ versions }: Kind) => versions.find(({ version }) => version === storageVersion);
  const needed = new Map(
    kinds.map((kind) => {
      const hub = hubOf(kind);
      const refs = (hub?.declared ?? []).filter(({ ref, ...field }) => {
        if (ref === undefined || (ref.kind === kind.name && kind.uniqueNames)) return false;
        return isNeeded(hub!.spec, field.path.slice(1), field.isList, types);
      });
      return [kind.name, refs];
    }),
  );
  const graph = new Map([...needed].map(([name, refs]) => [name, refs.map(({ ref }) => ref!.kind)]));
  for (const cycle of cycles(graph)) {
    const fields = cycle.map((name, index) => {
      const next = cycle[(index + 1) % cycle.length];
      return needed.get(name)!.find(({ ref }) => ref!.kind === next)!;
    });
    const first = kinds.findIndex(({ name }) => name === cycle[0]);
    const chain = cycle.map((name, index) => `${name} needs ${fields[index].path.join('.')}`);
    const { steps } = fieldSteps(hubOf(kinds[first])!, fields[0].path, types);
    const above = ['versions', storageVersion, ...steps];
    const at = above.reduce((place, step) => place.get(step), places[first]);
    const hint =
      cycle.length === 1
        ? `make the field optional, or give ${cycle[0]} names: unique, so that a resource can refer to itself`
        : 'make one of the fields optional';
    at.keyProblem(`no first ${cycle[0]} can be created: ${listed(chain)}, a reference to ${cycle[0]}`, hint);
  }
}

/** Returns true for a path of required fields; the list at its end must have an element. */
function isNeeded(fields: Field[], path: string[], isList: boolean, types: SharedType[]): boolean {
  const along = fieldsAlong(path, fields, types);
  if (along?.every(({ required }) => required) !== true) return false;
  return !isList || (along.at(-1)!.rules.min ?? 0) > 0;
}
