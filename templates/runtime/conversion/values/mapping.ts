import type { Json } from '../../model/schema';
import { codec, type Lens } from '../lenses/lens';

/** Replacements of values that a map does not list. */
interface Otherwise {
  hub?: Json;
  spoke?: Json;
}

/**
 * The rule `map`: values of the hub, and the value of the spoke for each. A spoke value of several hub values is
 * written as the first of them.
 */
export function mapping(hub: Json[], spoke: Json[], otherwise: Otherwise = {}): Lens {
  const pairs = hub.map((value, i): [Json, Json] => [value, spoke[i]]);
  const toSpoke = new Map(pairs.toReversed());
  const toHub = new Map(pairs.map(([hub, spoke]): [Json, Json] => [spoke, hub]).toReversed());
  return codec({
    rule: 'map',
    fromHub: (hub) => toSpoke.get(hub) ?? otherwise.spoke ?? hub,
    toHub: (spoke) => toHub.get(spoke) ?? otherwise.hub ?? spoke,
  });
}
