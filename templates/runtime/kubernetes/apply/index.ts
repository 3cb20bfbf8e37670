import { lookUp } from '../../api/reads/reading';
import { authorise } from '../../api/request/access';
import { type BodyTypes, withBody } from '../../api/request/body';
import { createAtName, createOrChange } from '../../api/writes/create-or-change';
import { hubStateOf, type Part } from '../../model/kinds/versioning';
import type { Json, JsonObject } from '../../model/schema';
import type { StoredResource } from '../../store/store';
import { type KubernetesContext, parameter } from '../face/face';
import { objectOf } from '../objects/object';
import { abandonedFields } from '../ownership/abandoned-fields';
import { shapeOf } from '../ownership/fields';
import { noteLastApplied } from '../ownership/last-applied';
import { anObject, badRequest, conflict, otherName } from '../status/problem';
import { APPLY_TYPE, jsonOf } from '../writes/object-body';
import { fieldManager, invalidManager, readDryRun } from '../writes/options';
import { sendWrittenObject } from '../writes/respond';
import { readObject } from '../writes/sent-object';
import { writeObject } from '../writes/update';
import { checkElements } from './elements';
import { merged, removeFields, withoutNulls } from './merge';

const APPLY_BODY: BodyTypes = { allowed: [APPLY_TYPE], typeRequired: true, jsonOf };

/** PATCH of an object or of its status by a server-side apply. An object that is absent is created. */
export function applyObject(context: KubernetesContext, part: Part): Promise<void> {
  readDryRun(context);
  const { manager, force } = applyOptions(context);
  return withBody(context.service, context, APPLY_BODY, async (body) => {
    const wanted = wantedPart(context, body, part);
    context.manager = { name: manager, applied: { wanted, force } };
    const write = (): Promise<void> =>
      writeObject(context, part, (stored) => ({
        body: applied(context, stored, part),
        isWhole: false,
      }));
    if (part === 'status') return write();
    return createOrChange(context.service, context, async () => {
      if (!(await createApplied(context, wanted))) await write();
    });
  });
}

/** Reads the options of a server-side apply. Throws a problem 422 without a manager, and 400 for another `force`. */
function applyOptions(context: KubernetesContext): { manager: string; force: boolean } {
  const manager = fieldManager(context);
  if (manager === undefined) throw invalidManager('Required', 'is required for apply patch');
  const force = parameter(context, 'force') || 'false';
  if (!['true', 'false', '1', '0'].includes(force))
    throw badRequest(`force: Invalid value: ${JSON.stringify(force)}: must be true or false`);
  return { manager, force: force === 'true' || force === '1' };
}

/** Reads the part of an object that a manager wants to own. Throws a problem 400. */
function wantedPart(
  { kind, uidOrName: name, urlVersion }: KubernetesContext,
  body: Json,
  part: Part,
): JsonObject {
  const { metadata: sent = {}, ...others } = anObject('the body', withoutNulls(body));
  const metadata = anObject('metadata', sent);
  if (Array.isArray(metadata['managedFields']) && metadata['managedFields'].length > 0)
    throw badRequest('metadata.managedFields must be nil');
  const given = metadata['name'] ?? '';
  if (given !== '' && given !== name) throw otherName(given, name);
  delete others[part === 'spec' ? 'status' : 'spec'];
  const wanted = { ...others, metadata };
  checkElements(wanted, shapeOf(kind, urlVersion));
  return wanted;
}

/** Creates the object that a manager applies. Returns false where there is one already. */
async function createApplied(context: KubernetesContext, wanted: JsonObject): Promise<boolean> {
  const { service } = context;
  if ((await lookUp(service, context)) !== undefined) return false;
  const { kind, uidOrName: name, urlVersion } = context;
  const { metadata, plain } = readObject(context, structuredClone(wanted), 'spec');
  await authorise(context, 'canCreate');
  if (metadata['uid'] || metadata['resourceVersion'])
    throw conflict(kind, name, 'the object names a uid or resourceVersion, and no such object exists');
  const named = { ...plain, metadata: { ...(plain['metadata'] as JsonObject), name } };
  const written = await createAtName(service, context, urlVersion, named);
  if (written !== undefined) await sendWrittenObject(context, written);
  return written !== undefined;
}

/** Returns an object with the fields that its manager wants, and without those that it wanted before. */
function applied(
  { kind, urlVersion: version, manager }: KubernetesContext,
  stored: StoredResource,
  part: Part,
): Json {
  const { name, applied } = manager!;
  const { wanted } = applied!;
  const shape = shapeOf(kind, version);
  const object = merged(objectOf(kind, stored, version), structuredClone(wanted), shape) as JsonObject;
  const state = hubStateOf(kind, stored);
  removeFields(object, abandonedFields(kind, state, { version, part, manager: name, wanted }), wanted);
  if (part === 'spec') noteLastApplied(object, manager!);
  return object;
}
