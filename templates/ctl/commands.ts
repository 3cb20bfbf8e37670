import type { WriteOptions } from '../client/collection';
import { ApiError } from '../client/errors';
import { jsonPatch, type JsonPatchOperation, mergePatch, type Patch, shorthand } from '../client/patches';
import { whileOthersWrite } from '../client/update';
import type { Resource, Snapshot } from '../runtime/model/resource';
import type { CommandName, Format } from './command-line';
import { type CtlCollection, type CtlKind, findVersion, UsageError } from './definition';
import { description, NEWEST } from './description';
import { appliedTo, changesOf, desiredOf, isSame } from './desired';
import { parseValue, readResources, type ResourceDocument } from './documents';
import { editResource } from './edit';
import { isInPaths } from './named-resources';
import { formatOf, isTable, printable, resourceTable, serialised, snapshotTable } from './output';
import type { Session } from './session';

/** Actions of commands; each returns the exit status. */
export type CommandActions = {
  [name in CommandName]: (session: Session, report: Report) => Promise<number>;
};

/** The commands of every service. */
export const COMMAND_ACTIONS: Omit<CommandActions, 'watch'> = {
  ...{ get, describe, apply, diff, edit, patch, delete: remove, versions },
};

/** Reports a failure after which the command continues. */
export type Report = (error: unknown) => void;

async function get(session: Session): Promise<number> {
  const { args, options } = session.line;
  const kind = session.kind();
  const collection = session.collection(kind);
  const format = formatOf(options.output);
  const asked = args.slice(1);
  const { selector: labelSelector, where: fieldSelector, sort } = options;
  for (const option of ['selector', 'where', 'sort'] as const)
    if (asked.length > 0 && options[option] !== undefined)
      throw new UsageError(`use either names or --${option}`);
  const uids: string[] = [];
  for (const name of asked) uids.push(await session.names.resolve(kind, collection, name));
  const resources =
    uids.length > 0
      ? await getAll(collection, uids)
      : await collection.list({ labelSelector, fieldSelector, sort });
  if (isTable(format)) session.print(tableOf(session, kind, resources, format));
  else session.print(serialised(uids.length === 1 ? resources[0] : resources, format));
  return 0;
}

/** Number of requests at the same time: each has a connection of its own, of which a system may allow only 256. */
const AT_ONCE = 50;

async function getAll(collection: CtlCollection, uids: string[]): Promise<Resource[]> {
  const found: Resource[] = [];
  for (let start = 0; start < uids.length; start += AT_ONCE) {
    const some = uids.slice(start, start + AT_ONCE);
    found.push(...(await Promise.all(some.map((uid) => collection.get(uid)))));
  }
  return found;
}

/** Returns resources as a table, with the columns of the version that they are shown in. */
function tableOf(session: Session, kind: CtlKind, resources: Resource[], format: Format): string {
  const { columns } = kind.versions[findVersion(kind, session.line.options['api-version'])];
  const shown = columns.filter(({ wide }) => !wide || format === 'wide');
  return resourceTable(shown, resources, Date.now());
}

async function describe(session: Session): Promise<number> {
  const kind = session.kind();
  const collection = session.collection(kind);
  const texts: string[] = [];
  for (const name of session.line.args.slice(1)) {
    const uid = await session.names.resolve(kind, collection, name);
    const resource = await collection.get(uid);
    const snapshots = kind.history ? await newestSnapshots(collection, uid) : undefined;
    texts.push(description(resource, snapshots, Date.now()));
  }
  session.print(texts.join('\n'));
  return 0;
}

/** Returns the snapshots of a description, the newest first, and one more where there are others. */
async function newestSnapshots({ versions }: CtlCollection, uid: string): Promise<Snapshot[]> {
  const newest: Snapshot[] = [];
  for await (const page of versions.pages(uid, { limit: NEWEST + 1, sort: '-createdAt' })) {
    newest.push(...page);
    if (newest.length > NEWEST) break;
  }
  return newest;
}

async function edit(session: Session): Promise<number> {
  const kind = session.kind();
  const collection = session.collection(kind);
  const uid = await session.names.resolve(kind, collection, session.line.args[1]);
  const current = await collection.get(uid);
  const after = await editResource(current, session.io, (document) =>
    collection.replace(uid, document, { ifMatch: current, ...session.writing }),
  );
  session.report(kind, uid, after === undefined ? 'unchanged' : 'edited');
  return 0;
}

async function apply(session: Session, report: Report): Promise<number> {
  const documents = await documentsOf(session);
  const failures = await eachOf(documents, report, (document) => applyOne(session, document));
  return failures === 0 ? 0 : 1;
}

/** Returns the documents of the command's file. Throws UsageError. */
async function documentsOf({ line, io }: Session): Promise<ResourceDocument[]> {
  const { file } = line.options;
  if (file === undefined) throw new UsageError(`usage: ${line.command} -f <file>`);
  return readResources(file, io);
}

async function applyOne(session: Session, document: ResourceDocument): Promise<void> {
  const { kind, version, collection } = subjectOf(session, document);
  const { metadata = {}, spec } = document;
  const uid = metadata.uid ?? (await session.names.uidOf(kind, collection, metadata.name));
  const done = ({ metadata }: Resource, what: string): void => session.report(kind, metadata.uid, what);
  if (uid === undefined) {
    const created = await createOne(session, document);
    if (created !== undefined && !session.writing.dryRun) session.names.add(kind, created);
    if (created !== undefined) return done(created, 'created');
  }
  let changed = false;
  const change = async (draft: Resource): Promise<void> => {
    const desired = await appliedTo(draft, document, kind, version);
    changed = !isSame(desired, desiredOf(draft));
    if (!changed) return;
    if (desired.metadata['name'] !== draft.metadata.name) session.names.forget(kind);
    Object.assign(draft, desired, { metadata: { ...draft.metadata, ...desired.metadata }, spec });
  };
  // Where somebody else has just created it, it is found by its name.
  const after = await collection.update(String(uid ?? metadata.name), change, session.writing);
  done(after, changed ? 'updated' : 'unchanged');
}

/**
 * Creates the resource of a document. One with a unique name is created unless it exists, so that of several at once one
 * creates it; undefined where that was another.
 */
async function createOne(session: Session, document: ResourceDocument): Promise<Resource | undefined> {
  const { kind, collection } = subjectOf(session, document);
  const name = document.metadata?.name;
  const input = desiredOf(document);
  if (kind.uniqueNames !== true || name === undefined || !isInPaths(name))
    return collection.create(input, session.writing);
  try {
    return await collection.replace(name, input, { ...session.writing, ifNoneMatch: '*' });
  } catch (error) {
    if (error instanceof ApiError && error.status === 412) return undefined;
    throw error;
  }
}

async function diff(session: Session, report: Report): Promise<number> {
  const documents = await documentsOf(session);
  let different = false;
  const failures = await eachOf(documents, report, async (document) => {
    const { kind, version, collection } = subjectOf(session, document);
    const { metadata = {} } = document;
    const uid = metadata.uid ?? (await session.names.uidOf(kind, collection, metadata.name));
    const stored = uid === undefined ? undefined : await collection.get(String(uid));
    const desired = await appliedTo(stored, document, kind, version);
    const changes = changesOf(stored && desiredOf(stored), desired);
    if (changes.length === 0) return;
    different = true;
    const title = uid === undefined ? `${kind.plural}: a new one` : `${kind.plural}/${uid}`;
    session.print([printable(title), ...changes].map((line) => `${line}\n`).join(''));
  });
  if (failures > 0) return 2;
  return different ? 1 : 0;
}

/** Returns the kind, version and collection of a document: its own version is the one that it is written for. Throws UsageError. */
function subjectOf(
  session: Session,
  { apiVersion, kind: name }: ResourceDocument,
): { kind: CtlKind; version: string; collection: CtlCollection } {
  const slash = apiVersion?.lastIndexOf('/') ?? -1;
  const kind = session.kind(slash < 0 ? name : `${name}.${apiVersion!.slice(0, slash)}`);
  const version = findVersion(kind, apiVersion ?? session.line.options['api-version']);
  return { kind, version, collection: session.collection(kind, version) };
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
  if (content === undefined) throw new UsageError('usage: patch <kind> <name> -p <patch>');
  if (!Object.hasOwn(PATCHES, type))
    throw new UsageError(`--type is one of ${Object.keys(PATCHES).join(', ')}, not ${JSON.stringify(type)}`);
  const value = PATCHES[type](parseValue(content, '--patch'));
  const collection = session.collection(kind);
  const uid = await session.names.resolve(kind, collection, args[1]);
  const resource = await written(session, collection, uid, (options) =>
    status ? collection.patchStatus(uid, value, options) : collection.patch(uid, value, options),
  );
  if (options.output === undefined) session.report(kind, uid, 'patched');
  else if (isTable(format)) session.print(tableOf(session, kind, [resource], format));
  else session.print(serialised(resource, format));
  return 0;
}

async function remove(session: Session, report: Report): Promise<number> {
  const kind = session.kind();
  const collection = session.collection(kind);
  const failures = await eachOf(session.line.args.slice(1), report, async (name) => {
    const uid = await session.names.resolve(kind, collection, name);
    const waiting = await written(session, collection, uid, (options) => collection.delete(uid, options));
    const finalizers = waiting?.metadata.finalizers ?? [];
    session.report(kind, uid, waiting ? `waits for its finalizers: ${finalizers.join(', ')}` : 'deleted');
  });
  return failures === 0 ? 0 : 1;
}

/**
 * Writes a resource whatever its state is. A service that requires a condition (428) gets the ETag of the present state,
 * again where others write at the same time.
 */
async function written<T>(
  { writing }: Session,
  collection: CtlCollection,
  uid: string,
  write: (options: WriteOptions) => Promise<T>,
): Promise<T> {
  try {
    return await write(writing);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 428) throw error;
  }
  return whileOthersWrite(async () => write({ ...writing, ifMatch: await collection.get(uid) }));
}

async function versions(session: Session): Promise<number> {
  const { args, options } = session.line;
  const [, name = '', versionId] = args;
  const kind = session.kind();
  if (!kind.history) throw new UsageError(`the service stores no versions of ${kind.plural}`);
  const collection = session.collection(kind);
  const { versions: snapshots } = collection;
  const format = formatOf(options.output ?? (versionId === undefined ? 'table' : 'yaml'));
  const uid = await session.names.resolve(kind, collection, name);
  const found = versionId === undefined ? await snapshots.list(uid) : await snapshots.get(uid, versionId);
  if (isTable(format)) session.print(snapshotTable([found].flat(), Date.now()));
  else session.print(serialised(found, format));
  return 0;
}

/** Runs an action for each item and continues after failures; returns their number. */
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
