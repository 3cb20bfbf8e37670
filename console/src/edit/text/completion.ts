import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import { elementOf, memberOf } from '../../../../templates/runtime/model/fields/members';
import { resolved, type Shape } from '../../../../templates/runtime/model/fields/shape';
import type { Schema } from '../../../../templates/runtime/model/schema';
import type { Notation } from '../../data/yaml';

/** The place of the cursor: the members around it, and whether a name or a value stands there. */
interface Place {
  path: string[];
  expects: 'name' | 'value';
  /** Where the typed part begins. */
  from: number;
}

/** Proposes the names of declared fields, and the values that a field allows. */
export function completions(shape: Shape, notation: Notation) {
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const place = notation === 'yaml' ? yamlPlace(state, pos) : jsonPlace(state, pos);
    if (place === undefined || (!explicit && place.from === pos && place.expects === 'name')) return null;
    const around = shapeAt(shape, place.path);
    if (around === undefined) return null;
    const options = place.expects === 'name' ? names(around, notation) : values(around, notation);
    return options.length === 0 ? null : { from: place.from, options, validFor: /^"?[\w-]*"?$/ };
  };
}

function shapeAt(shape: Shape, path: string[]): Shape | undefined {
  return path.reduce<Shape | undefined>((around, step) => {
    if (around === undefined) return undefined;
    return step === '[]' ? elementOf(around) : memberOf(around, step);
  }, shape);
}

function names(around: Shape, notation: Notation): Completion[] {
  const { properties = {}, required = [] } = resolved(around);
  return Object.entries(properties).map(([name, field]) => {
    const schema = resolved({ ...around, schema: field });
    return {
      label: notation === 'json' ? `"${name}"` : name,
      apply: notation === 'json' ? `"${name}": ` : `${name}: `,
      type: 'property',
      detail: `${typeOf(schema)}${required.includes(name) ? ', required' : ''}`,
      ...((field.description ?? schema.description) && { info: field.description ?? schema.description }),
    };
  });
}

function typeOf({ type, enum: values }: Schema): string {
  if (values !== undefined) return 'one of several';
  return type === 'array' ? 'list' : (type ?? 'any');
}

function values(around: Shape, notation: Notation): Completion[] {
  const { enum: allowed, type } = resolved(around);
  const all = allowed ?? (type === 'boolean' ? [true, false] : []);
  const isPlain = (value: unknown): boolean => typeof value === 'string' && /^[A-Za-z][\w-]*$/.test(value);
  const reserved = ['true', 'false', 'null', 'yes', 'no', 'on', 'off'];
  return all.map((value) => {
    const isBare = notation === 'yaml' && isPlain(value) && !reserved.includes(String(value).toLowerCase());
    return { label: isBare ? String(value) : JSON.stringify(value), type: 'enum' };
  });
}

const YAML_LINE =
  /^(?<indent>\s*)(?<dashes>(?:- +)*)(?:(?<name>"(?:[^"\\]|\\.)*"|[^\s:#"'[\]{}-][^:#]*?) *:(?<value> +.*)?)?/;

/** Block style only: that is what the console writes. */
function yamlPlace(state: EditorState, pos: number): Place | undefined {
  const line = state.doc.lineAt(pos);
  const before = state.sliceDoc(line.from, pos);
  const typed = /[\w"-]*$/.exec(before.replace(/- +$/, ''))![0];
  const { indent = '', dashes = '', name, value } = YAML_LINE.exec(before)!.groups!;
  const path = yamlParents(state, line.number, indent.length, dashes.length > 0);
  const steps = dashes === '' ? [] : Array<string>(dashes.trim().split(/ +/).length).fill('[]');
  const from = pos - (before.endsWith(typed) ? typed.length : 0);
  if (name !== undefined && value !== undefined)
    return { path: [...path, ...steps, unquoted(name)], expects: 'value', from };
  if (name !== undefined) return undefined;
  return { path: [...path, ...steps], expects: 'name', from };
}

function yamlParents(state: EditorState, below: number, indent: number, isElement: boolean): string[] {
  const path: string[] = [];
  let limit = indent;
  let mayBeEqual = isElement;
  for (let number = below - 1; number > 0 && (limit > 0 || mayBeEqual); number--) {
    const match = YAML_LINE.exec(state.doc.line(number).text)!.groups!;
    if (match['name'] === undefined && match['dashes'] === '') continue;
    const dashes = match['dashes'];
    const own = match['indent'].length + dashes.length;
    if (match['name'] !== undefined && (own < limit || (mayBeEqual && own === limit && dashes === ''))) {
      path.unshift(unquoted(match['name']));
      limit = own;
      mayBeEqual = false;
    }
    if (dashes !== '' && match['indent'].length < limit + 1 && own <= limit) {
      path.unshift('[]');
      limit = match['indent'].length;
      mayBeEqual = true;
    }
  }
  return path;
}

function unquoted(name: string): string {
  try {
    return name.startsWith('"') ? (JSON.parse(name) as string) : name;
  } catch {
    return name;
  }
}

function jsonPlace(state: EditorState, pos: number): Place | undefined {
  const tree = syntaxTree(state);
  const inside = tree.resolveInner(pos, -1);
  const path: string[] = [];
  for (let node: SyntaxNode | null = inside; node !== null; node = node.parent) {
    if (node.name === 'Property' && node !== inside) {
      const name = node.getChild('PropertyName');
      if (name !== null && name.to < pos) path.unshift(unquoted(state.sliceDoc(name.from, name.to)));
    }
    if (node.name === 'Array') path.unshift('[]');
  }
  const typed = /"?[\w-]*$/.exec(state.sliceDoc(Math.max(0, pos - 200), pos))![0];
  const from = pos - typed.length;
  const before = state
    .sliceDoc(Math.max(0, from - 200), from)
    .trimEnd()
    .at(-1);
  if (before === ':' || before === '[') return { path, expects: 'value', from };
  return before === '{' || before === ',' ? { path, expects: 'name', from } : undefined;
}
