import { OPTIONAL_PARTS } from '../../src/model/optional-parts';
import type { Project } from '../../src/model/project';

/** The parts of a project that switches nothing off. */
export const ALL_PARTS = Object.fromEntries(OPTIONAL_PARTS.map((part) => [part, true])) as Project['parts'];
