import type { Json } from '../model';
import type { Step } from './path';

/** What the rules of conversion.md are called. */
export const RULES = [
  'rename',
  'map',
  'scale',
  'cast',
  'wrap',
  'join',
  'index',
  'default',
  'drop',
  'custom',
] as const;

/** The name of a rule. */
export type RuleName = (typeof RULES)[number];

/** One rule of a spoke, its texts read. Paths are below `root`. */
export interface Rule {
  name: RuleName;
  /** Its place in the spoke's list. */
  index: number;
  /** Where the hub's paths start: `spec`, `status` or a shared type; undefined for a rule of the spoke alone. */
  hubRoot: string | undefined;
  spokeRoot: string | undefined;
  hub: Step[][];
  spoke: Step[][];
  options: RuleOptions;
}

/** What rules say beside their paths. */
export interface RuleOptions {
  /** `map`: hub value as text, spoke value. */
  values?: [hub: string, spoke: Json][];
  otherwise?: { hub?: Json; spoke?: Json };
  factor?: number;
  format?: 'duration';
  separator?: string;
  /** `default`. */
  value?: Json;
  /** `custom`. */
  name?: string;
}

/** Something wrong with the conversion of a spoke, at a place below the kind's version. */
export interface ConversionProblem {
  /** The version below which `path` is: the spoke's, except for a field that only the hub has. */
  version: string;
  path: (string | number)[];
  message: string;
  hint?: string;
}

/** Takes problems as they are found. */
export type Report = (problem: Omit<ConversionProblem, 'version'> & { version?: string }) => void;
