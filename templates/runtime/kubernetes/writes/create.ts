import { authorise } from '../../api/request/access';
import { withBody } from '../../api/request/body';
import { createFrom } from '../../api/writes/creating';
import { evaluateConditions, refuseUnmet } from '../../http/headers/conditional';
import { plainText } from '../../model/fields/values';
import type { KubernetesContext } from '../face/face';
import { badRequest, invalidObject } from '../status/problem';
import { objectBody } from './object-body';
import { readDryRun, updatingManager } from './options';
import { sendWrittenObject } from './respond';
import { readObject, type SentObject } from './sent-object';

/** POST to a collection. */
export function createObject(context: KubernetesContext): Promise<void> {
  readDryRun(context);
  return withBody(context.service, context, objectBody(context), async (body) => {
    const sent = readObject(context, body, 'spec');
    await authorise(context, 'canCreate');
    checkNew(context, sent);
    context.manager = updatingManager(context);
    refuseUnmet(evaluateConditions(context.req, undefined));
    const written = await createFrom(context.service, context, context.urlVersion, sent.plain);
    if (written !== undefined) await sendWrittenObject(context, written);
  });
}

/** Throws a problem for an object that cannot be new, or has no name. */
function checkNew({ kind, subject }: KubernetesContext, { metadata }: SentObject): void {
  const { name, generateName, resourceVersion } = metadata;
  subject.name = plainText(name || generateName || '');
  if (resourceVersion) throw badRequest('resourceVersion should not be set on objects to be created');
  if (subject.name !== '') return;
  throw invalidObject(kind, '', [
    {
      reason: 'FieldValueRequired',
      message: 'Required value: name or generateName is required',
      field: 'metadata.name',
    },
  ]);
}
