import { sendAllowed } from '../../api/reads/reading';
import type { Face, KubernetesContext } from '../face/face';
import { formOf } from './form';
import { revisionOf } from './revision';
import { sendFormed, tableForm } from './send-object';
import { shownRows } from './shown-rows';

/** Copies of an object in memory: the stored text, the text of the object, and as bytes. */
const COPIES = 3;

/** GET of one object, and of its status: the same object. */
export function getObject(face: Face, context: KubernetesContext): void | Promise<void> {
  const form = formOf(context.req);
  return sendAllowed(face.service, context, COPIES, (stored) => {
    const text = shownRows(face, context, form)(stored);
    const isRow = form === 'table';
    sendFormed(context, 200, isRow ? tableForm(face, context).of(text, revisionOf(stored)) : text);
  });
}
