import type { Contestants } from './contestants';
import type { Line } from './table';

/** Measurements of svcgen alone. */
export type Measure = (contestants: Contestants, seconds: number) => Promise<Line[]>;
