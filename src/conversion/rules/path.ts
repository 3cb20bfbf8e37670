/** One step of a rule's path. */
export type Step =
  | { kind: 'field'; name: string }
  /** `[]`: every element of a list. */
  | { kind: 'each' }
  /** `{}`: every value of a map. */
  | { kind: 'values' }
  /** `[name=cpu]`: the element of a list with that key value, as it is written. */
  | { kind: 'element'; key: string; value: string }
  /** `{cpu}`: one entry of a map. */
  | { kind: 'entry'; key: string };

/** Returns the step to a field. */
export function fieldStep(name: string): Step {
  return { kind: 'field', name };
}

/** A path of a rule: `spec`, `status` or the name of a shared type, then steps. */
export interface RulePath {
  root: string;
  steps: Step[];
}

const STEP = /\.([A-Za-z_][A-Za-z0-9_-]*)|\[\]|\{\}|\[([A-Za-z_][A-Za-z0-9_-]*)=([^\]]+)\]|\{([^}]+)\}/y;

/** Reads a path such as `spec.ports[].number`; returns undefined for a string that is no path. */
export function parsePath(text: string): RulePath | undefined {
  const [root] = /^[A-Za-z_][A-Za-z0-9_-]*/.exec(text) ?? [];
  if (root === undefined) return undefined;
  const steps: Step[] = [];
  STEP.lastIndex = root.length;
  while (STEP.lastIndex < text.length) {
    const match = STEP.exec(text);
    if (match === null) return undefined;
    const [whole, name, key, value, entry] = match;
    if (entry === '__proto__') return undefined;
    if (name !== undefined) steps.push(fieldStep(name));
    else if (key !== undefined) steps.push({ kind: 'element', key, value });
    else if (entry !== undefined) steps.push({ kind: 'entry', key: entry });
    else steps.push({ kind: whole === '[]' ? 'each' : 'values' });
  }
  return { root, steps };
}

/** Steps as they are written in a path, without the dot before the first. */
export function stepsText(steps: Step[]): string {
  return steps.map(stepText).join('').replace(/^\./, '');
}

/** The steps below a path, as a path. */
export function pathText(root: string, steps: Step[]): string {
  return root + steps.map(stepText).join('');
}

function stepText(step: Step): string {
  switch (step.kind) {
    case 'field':
      return `.${step.name}`;
    case 'each':
      return '[]';
    case 'values':
      return '{}';
    case 'element':
      return `[${step.key}=${step.value}]`;
    case 'entry':
      return `{${step.key}}`;
  }
}

/** A path as it stands in YAML. */
export function quotedPath(path: string): string {
  return /[[\]{}]/.test(path) ? `"${path}"` : path;
}

/** Returns true for the text of a path that is the same as another one or leads into it. */
export function isWithin(path: string, above: string): boolean {
  return path.startsWith(above) && /^($|[.[{])/.test(path.slice(above.length));
}

/** The steps of a path below another; undefined when it is not below. */
export function stepsBelow(path: Step[], above: Step[]): Step[] | undefined {
  const start = path.slice(0, above.length);
  return path.length >= above.length && stepsText(start) === stepsText(above)
    ? path.slice(above.length)
    : undefined;
}

/** Returns true for a path to one place in its object, not to one in every element or value. */
export function isStatic(path: Step[]): boolean {
  return !path.some(isEvery);
}

/** Returns true for a step to every element or value. */
export function isEvery({ kind }: Step): boolean {
  return kind === 'each' || kind === 'values';
}

/** Returns true for a step to one of the elements or entries that another step stands for. */
export function isOneOf(one: Step, all: Step): boolean {
  return (all.kind === 'each' && one.kind === 'element') || (all.kind === 'values' && one.kind === 'entry');
}

/** Returns the name of a field for custom functions: its last step. */
export function lastName(path: Step[]): string {
  const last = path.at(-1);
  return last?.kind === 'field' ? last.name : last?.kind === 'entry' ? last.key : '';
}

/** Returns true for the key of one element, which it has by its name. */
export function isNamedKey(path: Step[]): boolean {
  const [element, field] = path.slice(-2);
  return element?.kind === 'element' && field?.kind === 'field' && element.key === field.name;
}
