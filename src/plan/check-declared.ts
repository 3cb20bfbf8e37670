import { type Crossing, crossing } from '../conversion/reports/crossing';
import type { ConversionProblem } from '../conversion/rules/rule';
import { fieldSteps } from '../model/field-steps';
import { isSelectable } from '../model/fields';
import type { Mistake } from '../model/problem';
import type { Declarations, DeclaredField, KindVersion, SharedType } from '../model/project';
import { declaredOf, selectableIn } from './kind-data';
import type { ConvertedKind } from './subjects';

/**
 * Returns the problems of the declarations that a spoke repeats: those that the hub lacks, and those that the spoke's rules
 * cannot carry.
 */
export function checkDeclared(subject: ConvertedKind, spoke: KindVersion): ConversionProblem[] {
  const { plan } = subject.conversions.of(spoke.version);
  if (plan === undefined) return [];
  const hub = { version: subject.group.storageVersion, declared: declaredOf(subject) };
  const context = { subject, spoke, hub };
  const repeated = spoke.declared.flatMap((field) => {
    const found = crossing(plan, 'spoke', field.path);
    return DECLARATIONS.filter((name) => field[name] !== undefined).flatMap((name) => {
      const wrong = found === undefined ? orphan(context, field) : problemOf(context, name, field, found);
      if (wrong === undefined) return [];
      return [{ version: spoke.version, ...placeOf(spoke, field, name, subject.group.types), ...wrong }];
    });
  });
  return [...repeated, ...sameForAll(spoke, hub)];
}

/** Returns the problems of `default` rules that give the same value of a unique field to each resource that the spoke creates. */
function sameForAll({ version, conversion }: KindVersion, hub: Hub): ConversionProblem[] {
  return conversion.flatMap((rule, index) => {
    const path = (rule as { default?: { hub?: unknown } }).default?.hub;
    const field = hub.declared.find((each) => each.unique && each.path.join('.') === path);
    if (field === undefined) return [];
    return [
      {
        version,
        path: ['conversion', index, 'default', 'hub'],
        message: `${field.path.join('.')} is unique in ${hub.version}, but each resource created in ${version} would have the same value`,
        hint: `add a field for it to ${version}, or make it optional in ${hub.version}`,
      },
    ];
  });
}

interface Context {
  subject: ConvertedKind;
  spoke: KindVersion;
  hub: Hub;
}

type Hub = Pick<KindVersion, 'version' | 'declared'>;

function orphan({ hub }: Context, { path }: DeclaredField): Mistake {
  return {
    message: `${path.join('.')} has a declaration, but ${hub.version} has no field for it`,
    hint: `remove it, or add a field to ${hub.version}, the storage version`,
  };
}

function problemOf(
  context: Context,
  name: keyof Declarations,
  field: DeclaredField,
  found: Crossing,
): Mistake | undefined {
  const { hub, subject, spoke } = context;
  const text = field.path.join('.');
  const twins = found.hub.map((path) => ({ path, declared: declaredAt(hub, path, name) }));
  const lacking = twins.find(({ declared }) => declared === undefined);
  if (lacking !== undefined) {
    const message = `${text} is ${WORDS[name]}, but ${lacking.path.join('.')} of ${hub.version} is not`;
    return {
      message,
      hint: `declarations are those of the storage version: declare it there, or remove it here`,
    };
  }
  if (name === 'immutable') return undefined;
  const isCarried =
    name === 'selectable'
      ? selectableIn(subject, spoke.version).some(({ path }) => path.join('.') === text)
      : found.how === 'same';
  if (!isCarried) return notCarried(context, name, field, found);
  return name === 'ref' ? otherReference(context, field, twins[0].declared!) : undefined;
}

/** The keys of a field that declare something besides its type and rules. */
export const DECLARATIONS: readonly (keyof Declarations)[] = ['selectable', 'unique', 'immutable', 'ref'];

/** The words for declarations in messages. */
export const WORDS: { readonly [name in keyof Declarations]-?: string } = {
  selectable: 'selectable',
  unique: 'unique',
  immutable: 'immutable',
  ref: 'a reference',
};

/** Returns the declarations of the hub's field; what is immutable as a whole is so in each part. */
function declaredAt(hub: Hub, path: string[], name: keyof Declarations): DeclaredField | undefined {
  return hub.declared.find((field) => {
    if (field.path.join('.') === path.join('.'))
      return name === 'selectable' ? isSelectable(field) : field[name] !== undefined;
    return (
      name === 'immutable' &&
      field.immutable === true &&
      path.join('.').startsWith(`${field.path.join('.')}.`)
    );
  });
}

function notCarried(
  { hub, spoke }: Context,
  name: keyof Declarations,
  field: DeclaredField,
  found: Crossing,
): Mistake {
  const by = found.rule === undefined ? 'by a rule for its parts' : `by the rule ${found.rule.name}`;
  const from = found.hub.map((path) => path.join('.')).join(' and ');
  const hint =
    name === 'selectable'
      ? `remove it: lists in ${spoke.version} cannot be selected by the field`
      : `remove it: it holds for ${from} of ${hub.version}, whose value counts`;
  return {
    message: `${field.path.join('.')} comes from ${from} ${by}, so it cannot be ${WORDS[name]}`,
    hint,
  };
}

function otherReference(
  { hub, spoke }: Context,
  { path, ref }: DeclaredField,
  twin: DeclaredField,
): Mistake | undefined {
  const [ours, theirs] = [ref!, twin.ref!];
  if (ours.kind === theirs.kind && ours.onDelete === theirs.onDelete) return undefined;
  const shown = (one: typeof ours): string =>
    ours.kind === theirs.kind ? `onDelete: ${one.onDelete}` : `a reference to ${one.kind}`;
  return {
    message: `${path.join('.')} has ${shown(ours)} in ${spoke.version}, but ${shown(theirs)} in ${hub.version}`,
    hint: 'declarations are those of the storage version: write the same',
  };
}

/** Returns where a declaration stands below its version; of a shared type, the field that has the type. */
function placeOf(
  version: KindVersion,
  { path, isList }: DeclaredField,
  name: keyof Declarations,
  types: SharedType[],
): Pick<ConversionProblem, 'path' | 'isKey'> {
  const { steps, sharedType } = fieldSteps(version, path, types);
  if (sharedType !== undefined) return { path: steps, isKey: true };
  if (name === 'unique' || name === 'immutable') return { path: [...steps, 'rules'] };
  return { path: [...steps, ...(name === 'ref' && isList ? ['items'] : []), name], isKey: true };
}
