import type { Json } from '../schema';
import { codec, type Lens } from './lens';

/** What stands for every value that a map does not list. */
export interface Otherwise {
  hub?: Json;
  spoke?: Json;
}

/**
 * The rule `map`: pairs of a hub value and a spoke value. Where several hub values stand for one of the spoke, it
 * goes back to the first of them.
 */
export function mapping(pairs: [hub: Json, spoke: Json][], otherwise: Otherwise = {}): Lens {
  const toSpoke = new Map(pairs.toReversed());
  const toHub = new Map(pairs.map(([hub, spoke]): [Json, Json] => [spoke, hub]).toReversed());
  return codec({
    rule: 'map',
    fromHub: (hub) => toSpoke.get(hub) ?? otherwise.spoke ?? hub,
    toHub: (spoke) => toHub.get(spoke) ?? otherwise.hub ?? spoke,
  });
}
