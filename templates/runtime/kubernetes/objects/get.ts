import { sendAllowed } from '../../api/reads/reading';
import type { Face, KubernetesCall } from '../face/face';
import { objectText } from './object';
import { sendObject } from './send-object';

/** Copies of an object in memory: the stored text, the text of the object, and as bytes. */
const COPIES = 3;

/** GET of one object, and of its status: the same object. */
export function getObject(face: Face, context: KubernetesCall): void | Promise<void> {
  return sendAllowed(face.service, context, COPIES, (stored) =>
    sendObject(face, context, 200, objectText(context.kind, stored, context.urlVersion)),
  );
}
