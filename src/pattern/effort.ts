import type { AST } from '@eslint-community/regexpp';

/** A state of an automaton. One that consumes a character has one way out; the others are passed at once. */
interface State {
  out: number[];
  consumes: boolean;
  /** Passed only at the start of the text. */
  atStart: boolean;
}

/** The simulation gives up after visiting this many states. */
const MAX_VISITS = 200_000;

/**
 * Returns an upper bound on the states that a search is in at once, which is the number of steps that an engine of
 * linear time takes for a character. Every character is assumed to match every class, so that one run stands for all
 * texts. `from` is where a match may begin.
 */
export function effort(pattern: readonly AST.Element[][], from: 'start' | 'anywhere'): number {
  const states: State[] = [];
  const end = add(states, { consumes: true, out: [] });
  const start = choice(states, pattern, end);
  return widest(states, start, from);
}

function add(states: State[], { out, consumes = false, atStart = false }: Partial<State>): number {
  return states.push({ out: out ?? [], consumes, atStart }) - 1;
}

function choice(states: State[], alternatives: readonly AST.Element[][], next: number): number {
  return add(states, { out: alternatives.map((elements) => sequence(states, elements, next)) });
}

function sequence(states: State[], elements: readonly AST.Element[], next: number): number {
  return elements.reduceRight((behind, element) => entry(states, element, behind), next);
}

/** Adds the states of an element, and returns where it is entered. */
function entry(states: State[], element: AST.Element, next: number): number {
  switch (element.type) {
    case 'Quantifier':
      return repeat(states, element, next);
    case 'Group':
    case 'CapturingGroup':
      return choice(
        states,
        element.alternatives.map(({ elements }) => elements),
        next,
      );
    case 'Assertion':
      return add(states, { out: [next], atStart: element.kind === 'start' });
    default:
      return add(states, { out: [next], consumes: true });
  }
}

function repeat(states: State[], { element, min, max }: AST.Quantifier, next: number): number {
  let at = next;
  if (max === Infinity) {
    at = add(states, { out: [next] });
    states[at].out.push(entry(states, element, at));
  } else {
    for (let count = min; count < max; count++) at = add(states, { out: [entry(states, element, at), next] });
  }
  for (let count = 0; count < min; count++) at = entry(states, element, at);
  return at;
}

/** Runs the automaton until a set of states comes again, and returns the size of the largest set. */
function widest(states: State[], start: number, from: 'start' | 'anywhere'): number {
  let [largest, visits, sinceMark, lap] = [0, 0, 0, 1];
  let mark = new Set<number>();
  let current = reached(states, [start], true);
  while (current.size > 0) {
    largest = Math.max(largest, current.size);
    visits += current.size;
    if (visits > MAX_VISITS) return states.length;
    if (isSame(current, mark)) return largest;
    // The mark moves on at growing distances, so that it ends up within the cycle, and no shorter than that.
    if (++sinceMark === lap) [mark, sinceMark, lap] = [current, 0, lap * 2];
    const out = [...current].flatMap((at) => (states[at].consumes ? states[at].out : []));
    current = reached(states, from === 'anywhere' ? [...out, start] : out, false);
  }
  return largest;
}

function reached(states: State[], from: number[], isStart: boolean): Set<number> {
  const found = new Set<number>();
  const pending = [...from];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (found.has(at)) continue;
    found.add(at);
    const { out, consumes, atStart } = states[at];
    if (!consumes && (isStart || !atStart)) pending.push(...out);
  }
  return found;
}

function isSame(one: Set<number>, other: Set<number>): boolean {
  return one.size === other.size && [...one].every((at) => other.has(at));
}
