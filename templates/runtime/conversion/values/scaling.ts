import { codec, type Lens } from '../lenses/lens';

/** The types of the two fields of a `scale`; integers where none is given. */
interface Scale {
  hub?: 'integer' | 'number';
  spoke?: 'integer' | 'number';
}

/** The rule `scale`: hub = spoke × factor, rounded where a side is an integer. */
export function scaling(factor: number, { hub = 'integer', spoke = 'integer' }: Scale = {}): Lens {
  // A version shows its nearest value where it has no other.
  const most = spoke === 'integer' ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE;
  return codec({
    rule: 'scale',
    fromHub(value) {
      if (typeof value !== 'number') return value;
      const scaled = fitted(value / factor, spoke);
      return Math.min(Math.max(scaled, -most), most);
    },
    toHub(value) {
      if (typeof value !== 'number') return value;
      const scaled = fitted(value * factor, hub);
      if (!Number.isFinite(scaled)) throw new Error('the number is too large');
      return scaled;
    },
  });
}

/** Returns the number without the noise of binary fractions: 4.35 × 100 is 435. Adding 0 turns -0 into 0. */
function fitted(value: number, type: 'integer' | 'number'): number {
  if (Number.isInteger(value)) return value + 0;
  // More than 15 digits before the point leave no room for noise.
  const rounded = Math.abs(value) < 1e15 ? Number(value.toPrecision(15)) : value;
  return (type === 'integer' ? Math.round(rounded) : rounded) + 0;
}
