import { quoted, visible } from '../quoted';

type Recheck = Pick<typeof import('recheck'), 'checkSync'>;

/**
 * Bounds on the search for an attack. They count steps, not time, so that the answer is the same on every machine.
 */
const BOUNDS = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  recallTimeout: -1,
  attackLimit: 30_000_000,
  maxIteration: 3,
  maxInitialGenerationSize: 100,
  maxGenerationSize: 30,
  maxGeneStringSize: 800,
};

/** Patterns whose cost grows with the square of a text's length pass: the service bounds what they cost. */
const MAX_DEGREE = 2;
/** The analysis takes long for longer ones. */
const MAX_LENGTH = 1000;

const known = new Map<string, Examined>();

/** What the analysis of a pattern found. */
interface Examined {
  problem?: PatternProblem;
  /** Whether its cost grows no faster than the text. */
  linear: boolean;
}

/** Why a pattern cannot be a rule. */
export interface PatternProblem {
  message: string;
  hint?: string;
}

/** What is wrong with a regular expression; undefined when it is valid and cannot backtrack catastrophically. */
export function patternProblem(pattern: string): PatternProblem | undefined {
  return examined(pattern).problem;
}

/** Whether matching a pattern takes a time that grows no faster than the text. */
export function isLinear(pattern: string): boolean {
  return examined(pattern).linear;
}

function examined(pattern: string): Examined {
  const found = known.get(pattern) ?? examine(pattern);
  known.set(pattern, found);
  return found;
}

function examine(pattern: string): Examined {
  const problem = unfit(pattern);
  return problem === undefined ? attack(pattern) : { problem, linear: false };
}

/** What is wrong with a pattern whatever it costs. */
function unfit(pattern: string): PatternProblem | undefined {
  if (pattern.length > MAX_LENGTH) {
    return { message: `a pattern has at most ${MAX_LENGTH} characters, this one has ${pattern.length}` };
  }
  const invalid = syntaxError(pattern);
  if (invalid !== undefined) {
    return {
      message: `${quoted(pattern)} is not a regular expression: ${invalid}`,
      hint: 'it is one of JavaScript, with the flag u',
    };
  }
  if (hasBackReference(pattern)) {
    const hint = 'a pattern may not have back-references: nothing bounds how long they take';
    return { message: `${quoted(pattern)} refers back to a group`, hint };
  }
  return undefined;
}

function syntaxError(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/^.*: /s, '');
  }
}

/** `\1` or `\k<name>`; with the flag u neither means anything else. */
function hasBackReference(pattern: string): boolean {
  return (pattern.match(/\\./gsu) ?? []).some((escape) => /[1-9k]/.test(escape));
}

function attack(pattern: string): Examined {
  // The build for browsers is the pure JavaScript one; the main one starts worker threads.
  const { checkSync } = require('recheck/lib/browser') as Recheck;
  const result = checkSync(pattern, 'u', BOUNDS);
  if (result.status === 'safe') return { linear: true };
  if (result.status === 'unknown') {
    const hint = 'write it with simpler means';
    return {
      problem: { message: `svcgen cannot tell how long ${quoted(pattern)} may take`, hint },
      linear: false,
    };
  }
  const { complexity } = result;
  if (complexity.type === 'polynomial' && complexity.degree <= MAX_DEGREE) return { linear: false };
  const cost = complexity.summary.replace(' (fuzz)', '');
  const example = visible(result.attack.pattern).slice(0, 100);
  const problem = {
    message: `${quoted(pattern)} can backtrack catastrophically (${cost}), for example on ${example}`,
    hint: 'avoid repeats inside repeats and neighbouring repeats of the same characters; anchor the pattern with ^',
  };
  return { problem, linear: false };
}
