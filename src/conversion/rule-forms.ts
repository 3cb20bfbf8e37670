import type { RuleName } from './rule';

/** What a rule may say: its sides, and its other members. */
export interface Form {
  /** How many paths a side takes: one, or one or several. */
  sides: 'both' | 'either' | 'spoke';
  several?: boolean;
  needs?: string[];
  may?: string[];
  example: string;
}

/** The form of every rule. */
export const FORMS: { [name in RuleName]: Form } = {
  rename: { sides: 'both', example: 'rename: { hub: spec.location, spoke: spec.site }' },
  map: {
    sides: 'both',
    needs: ['values'],
    may: ['otherwise'],
    example: 'map: { hub: spec.tier, spoke: spec.level, values: { gold: 1, silver: 2 } }',
  },
  scale: {
    sides: 'both',
    needs: ['factor'],
    example: 'scale: { hub: spec.timeoutMs, spoke: spec.timeoutSeconds, factor: 1000 }',
  },
  cast: {
    sides: 'both',
    may: ['otherwise', 'format'],
    example: 'cast: { hub: spec.port, spoke: spec.port, otherwise: { spoke: 0 } }',
  },
  wrap: { sides: 'both', example: 'wrap: { hub: spec.addresses, spoke: spec.address }' },
  join: {
    sides: 'both',
    several: true,
    needs: ['separator'],
    example: 'join: { hub: [spec.firstName, spec.lastName], spoke: spec.fullName, separator: " " }',
  },
  index: { sides: 'both', example: 'index: { hub: spec.labels, spoke: spec.labelList }' },
  default: { sides: 'either', needs: ['value'], example: 'default: { hub: spec.region, value: eu-1 }' },
  drop: { sides: 'spoke', example: 'drop: { spoke: spec.legacyId }' },
  custom: {
    sides: 'both',
    several: true,
    needs: ['name'],
    example: 'custom: { hub: [spec.lat, spec.lon], spoke: [spec.position], name: position }',
  },
};
