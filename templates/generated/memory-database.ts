import type { TestDatabase } from './contract/tested';

/** A database in memory, which needs no preparation. */
export function testDatabase(): TestDatabase {
  return { url: 'sqlite::memory:', make: () => Promise.resolve(), drop: () => Promise.resolve() };
}
