import { EventStream } from '../client/events';
import { jsonPatch, mergePatch, shorthand, type JsonPatchOperation, type Patch } from '../client/patches';
import type { ResourceEvent } from '../client/resource-event';
import type { Resource } from '../runtime/resource';
import type { CommandName } from './command-line';
import { findVersion, UsageError } from './definition';
import { parseValue, readResources, type ResourceDocument } from './documents';
import { NamedResources } from './named-resources';
import { formatOf, printable, resourceTable, serialised, snapshotTable } from './output';
import type { Session } from './session';

/** What each command does; it gives the number of failures that it has reported itself. */
export const COMMAND_ACTIONS: {
  [name in CommandName]: (session: Session, report: Report) => Promise<number>;
} = { get, apply, patch, delete: remove, versions, watch };

/** Tells the user of a failure, where the command goes on. */
export type Report = (error: unknown) => void;

async function get(session: Session): Promise<number> {
  const { args, options } = session.line;
  const kind = session.kind();
  const collection = session.collection(kind);
  const format = formatOf(options.output);
  const uids = args.slice(1);
  if (uids.length > 0 && options.selector !== undefined)
    throw new UsageError('either uids or --selector, not both');
  const resources =
    uids.length > 0
      ? await Promise.all(uids.map((uid) => collection.get(uid)))
      : await collection.list({ labelSelector: options.selector });
  if (format === 'table') session.print(resourceTable(kind, resources, Date.now()));
  else session.print(serialised(uids.length === 1 ? resources[0] : resources, format));
  return 0;
}

async function apply(session: Session, report: Report): Promise<number> {
  const { file } = session.line.options;
  if (file === undefined) throw new UsageError('usage: apply -f <file>');
  const documents = await readResources(file, session.io);
  const names = new NamedResources();
  return eachOf(documents, report, (document) => applyOne(session, document, names));
}

async function applyOne(session: Session, document: ResourceDocument, names: NamedResources): Promise<void> {
  const { apiVersion, kind: name, metadata = {}, spec } = document;
  const slash = apiVersion?.lastIndexOf('/') ?? -1;
  const kind = session.kind(slash < 0 ? name : `${name}.${apiVersion!.slice(0, slash)}`);
  const collection = session.collection(kind, session.line.options['api-version'] ?? apiVersion);
  const { labels, annotations } = metadata;
  const uid = metadata.uid ?? (await names.uidOf(kind, collection, metadata.name));
  const done = ({ metadata }: Resource, what: string): void =>
    session.print(`${kind.plural}/${metadata.uid} ${what}\n`);
  if (uid === undefined) {
    const created = await collection.create({ metadata: { name: metadata.name, labels, annotations }, spec });
    names.add(kind, created);
    return done(created, 'created');
  }
  let before = '';
  const after = await collection.update(String(uid), (draft) => {
    before = JSON.stringify(draft);
    draft.spec = spec;
    if (metadata.name !== undefined) draft.metadata.name = metadata.name;
    if (labels !== undefined) draft.metadata.labels = labels;
    if (annotations !== undefined) draft.metadata.annotations = annotations;
  });
  done(after, JSON.stringify(after) === before ? 'unchanged' : 'updated');
}

const PATCHES: { [type: string]: (value: unknown) => Patch<unknown> } = {
  merge: (value) => mergePatch(value),
  json: (value) => jsonPatch(value as JsonPatchOperation[]),
  shorthand: (value) => shorthand(value as { [path: string]: unknown }),
};

async function patch(session: Session): Promise<number> {
  const { args, options } = session.line;
  const { type = 'merge', patch: content, status } = options;
  const kind = session.kind();
  const format = formatOf(options.output);
  if (content === undefined) throw new UsageError('usage: patch <kind> <uid> -p <patch>');
  if (!Object.hasOwn(PATCHES, type))
    throw new UsageError(`--type is one of ${Object.keys(PATCHES).join(', ')}, not ${JSON.stringify(type)}`);
  const value = PATCHES[type]!(parseValue(content, '--patch'));
  const collection = session.collection(kind);
  const uid = args[1]!;
  const resource = await (status ? collection.patchStatus(uid, value) : collection.patch(uid, value));
  if (options.output === undefined) session.print(`${kind.plural}/${uid} patched\n`);
  else if (format === 'table') session.print(resourceTable(kind, [resource], Date.now()));
  else session.print(serialised(resource, format));
  return 0;
}

async function remove(session: Session, report: Report): Promise<number> {
  const kind = session.kind();
  const collection = session.collection(kind);
  return eachOf(session.line.args.slice(1), report, async (uid) => {
    await collection.delete(uid);
    session.print(`${kind.plural}/${uid} deleted\n`);
  });
}

async function versions(session: Session): Promise<number> {
  const { args, options } = session.line;
  const [, uid = '', versionId] = args;
  const kind = session.kind();
  if (!kind.history) throw new UsageError(`the service keeps no versions of ${kind.plural}`);
  const { versions: snapshots } = session.collection(kind);
  const format = formatOf(options.output ?? (versionId === undefined ? 'table' : 'yaml'));
  const found = versionId === undefined ? await snapshots.list(uid) : await snapshots.get(uid, versionId);
  if (format === 'table') session.print(snapshotTable([found].flat(), Date.now()));
  else session.print(serialised(found, format));
  return 0;
}

async function watch(session: Session): Promise<number> {
  const { args, options } = session.line;
  const format = formatOf(options.output);
  const kinds = args.map((name) => session.kind(name));
  const asked = options['api-version'];
  const stream = new EventStream<ResourceEvent<string, Resource>>(session.connection, {
    kinds: kinds.map(({ group, kind }) => `${group}/${kind}`),
    labelSelector: options.selector,
    version: asked === undefined ? undefined : (kinds.map((kind) => findVersion(kind, asked))[0] ?? asked),
    lastEventId: options.from,
  });
  for await (const event of stream) {
    if (format === 'json') session.print(`${JSON.stringify(event)}\n`);
    else session.print(format === 'yaml' ? `---\n${serialised(event, format)}` : eventLine(event));
  }
  return 0;
}

function eventLine({ time, data }: ResourceEvent<string, Resource>): string {
  const { action, metadata, resourceKind, resourceUID, resourceName, resource } = data;
  const what = metadata.updateType === 'status' ? 'status' : action;
  const { phase, ready } = resource.status ?? {};
  const state = [phase, ready === undefined ? undefined : `ready=${JSON.stringify(ready)}`];
  const texts = [time, what.padEnd(7), resourceKind, resourceUID, resourceName, ...state];
  return `${printable(texts.filter((text) => text !== undefined).join('  '))}\n`;
}

/** Goes on after a failure; gives their number. */
async function eachOf<T>(items: T[], report: Report, action: (item: T) => Promise<void>): Promise<number> {
  let failures = 0;
  for (const item of items) {
    await action(item).catch((error: unknown) => {
      failures += 1;
      report(error);
    });
  }
  return failures;
}
