import { RepeatedLists } from './api/reads/repeated-lists';
import { KeyedMutex } from './concurrency/keyed-mutex';
import { idempotency } from './idempotency';
import { cacheShares } from './memory/cache-shares';
import { memoryBudget } from './memory/memory-budget';
import type { ServiceDefinition } from './service/definition';
import type { FeaturePart } from './service/feature';
import { openKnownStore } from './service/known-store';
import { createLogger, noticesTo } from './service/logger';
import { ServedKinds } from './service/served-kinds';
import type { CoreService, Service } from './service/service';
import { workerNumber } from './service/worker-process';
import { readSettings, type Settings } from './settings/settings';

/**
 * Opens the store and makes everything that the endpoints need; nothing listens yet. Throws StoreRefused for an
 * unusable database, and an Error for wrong settings of a feature.
 */
export async function openService(
  definition: ServiceDefinition,
  settings: Settings = readSettings(process.env),
): Promise<Service> {
  const logger = createLogger(definition.name, settings);
  const starts = [idempotency, ...definition.features].map((feature) =>
    feature(definition, settings, logger),
  );
  const parts: FeaturePart[] = [];
  const store = await openKnownStore(definition, settings, {
    onCommit: (writes, ms) => parts.forEach((part) => part.committed?.(writes, ms / 1_000)),
    // Workers know of one another; the supervising process has checked.
    isShared: workerNumber() !== undefined,
    onNotice: noticesTo(logger),
  });
  const service: CoreService & Pick<Service, 'lists'> = {
    definition,
    settings,
    store,
    logger,
    now: Date.now,
    turns: new KeyedMutex(),
    memory: memoryBudget(settings),
    lists: new RepeatedLists(store, cacheShares(settings).lists),
    kinds: new ServedKinds(),
    parts,
    draining: false,
    async close() {
      for (const part of parts.toReversed()) await part.close?.();
      await store.close();
    },
  };
  try {
    for (const start of starts) {
      const part = start(service as Service);
      parts.push(part);
      Object.assign(service, part.adds);
      await part.prepare?.();
    }
    await store.noteOmissions();
  } catch (error) {
    await service.close();
    throw error;
  }
  return service as Service;
}
