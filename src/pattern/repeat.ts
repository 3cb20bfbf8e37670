/** A part of a translated pattern. */
export interface Piece {
  text: string;
  /** The length of the engine's program for it, in which repeats are written out. */
  steps: number;
  /** The greatest product of nested counts in it. */
  repeats: number;
}

/** With more, a string as long as the pattern itself could take more steps than one validation may. */
const MAX_STEPS = 5_000;
/** RE2 refuses greater counts, and nested counts with a greater product. */
const MAX_COUNT = 1_000;

/** Returns the piece, unless it has too many steps. */
export function bounded(piece: Piece): Piece {
  if (piece.steps <= MAX_STEPS) return piece;
  throw new NotLinear(
    `has ${count(piece.steps)} steps when its repeats are written out; at most ${count(MAX_STEPS)} are allowed`,
    'repeat less; the rules min and max bound a length at no cost',
  );
}

function count(steps: number): string {
  return Number.isFinite(steps) && steps < 1e15 ? steps.toLocaleString('en') : 'countless';
}

/** Returns the repeated piece: a character, a class or a group. Counts that RE2 refuses are put together from smaller ones. */
export function quantified(piece: Piece, { min, max }: { min: number; max: number }): Piece {
  if (max === 0) return { text: '(?:)', steps: 1, repeats: 1 };
  const steps = max === Infinity ? piece.steps * Math.max(min, 1) + 1 : piece.steps * max;
  const most = max === Infinity ? min : max;
  const repeats = piece.repeats * Math.max(most, 1);
  bounded({ ...piece, steps });
  const atom = piece.text;
  if (repeats <= MAX_COUNT) return { text: `${atom}${quantifier(min, max)}`, steps, repeats };
  const largest = Math.max(1, Math.floor(MAX_COUNT / piece.repeats));
  const rest = max === Infinity ? `${atom}*` : upTo(atom, max - min, largest);
  const product = Math.min(largest, most) * piece.repeats;
  return { text: `(?:${exactly(atom, min, largest)}${rest})`, steps, repeats: product };
}

function quantifier(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

function exactly(atom: string, times: number, largest: number): string {
  const parts: string[] = [];
  for (let left = times; left > 0; left -= largest) parts.push(`${atom}{${Math.min(left, largest)}}`);
  return parts.join('');
}

/**
 * Returns a pattern for up to `times` of the atom: some blocks of the same size, then up to `rest` more. Any count is that
 * many blocks and a rest, since no block is longer than a rest may be.
 */
function upTo(atom: string, times: number, largest: number): string {
  if (times === 0) return '';
  if (times <= largest) return `${atom}{0,${times}}`;
  let blocks = Math.ceil(times / largest) - 1;
  while (times - blocks * Math.floor(times / (blocks + 1)) > largest) blocks++;
  const block = Math.floor(times / (blocks + 1));
  const rest = times - blocks * block;
  let optional = '';
  for (let index = 0; index < blocks; index++) optional = `(?:${atom}{${block}}${optional})?`;
  return `${optional}${atom}{0,${rest}}`;
}

/** A regular expression that no engine can match in linear time, or only with too many steps. */
export class NotLinear extends Error {
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}
