const { join } = require('node:path');
const runtime = (name) => require(join(process.env.FAULT_RUNTIME, name));

/** Times and ids of snapshots are what the clock says, whatever was before. */
const metadata = runtime('api/request/metadata');
const { nextMetadata } = metadata;
metadata.nextMetadata = (current, client, changed, now) => {
  const updatedAt = new Date(0).toISOString();
  return nextMetadata({ ...current, metadata: { ...current.metadata, updatedAt } }, client, changed, now);
};
const snapshots = runtime('history/snapshot');
const { record } = snapshots;
snapshots.record = (service, ...rest) => {
  const now = service.now();
  const digits = new Date(now).toISOString().slice(0, 19).replace(/\D/g, '');
  const versionId = `${digits}-${BigInt(now) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n)}`;
  const snapshot = record(service, ...rest);
  return { ...snapshot, versionId, text: JSON.stringify({ ...JSON.parse(snapshot.text), versionId }) };
};
