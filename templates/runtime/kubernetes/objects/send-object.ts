import type { OutgoingHttpHeaders } from 'node:http';
import { send } from '../../http/responses/respond';
import { contentOf, type Face, type KubernetesContext } from '../face/face';
import { textAt } from './age';
import { formOf } from './form';
import type { KubernetesObject } from './object';
import { includedObject, metadataOf, TableForm } from './table';

/** Throws a problem 406 or 400 for a request that asks for objects in a form that they do not have. */
export function checkForm(context: KubernetesContext): void {
  if (formOf(context.req) === 'table') includedObject(context);
}

/** Sends the JSON text of an object, in the form that the request asks for. */
export function sendObject(face: Face, context: KubernetesContext, status: 200 | 201, text: string): void {
  sendFormed(context, status, formed(face, context, text));
}

/** Sends the JSON text of an object in some form. */
export function sendFormed(context: KubernetesContext, status: 200 | 201, text: string): void {
  send(context.req, context.res, status, headersOf(context), text);
}

/** Returns the headers of a response with objects. */
export function headersOf({ warnings }: KubernetesContext): OutgoingHttpHeaders {
  return {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-cache, private',
    ...(warnings.length > 0 && { Warning: warnings }),
  };
}

/** Returns the JSON text of an object in the form that a request asks for. */
export function formed(face: Face, context: KubernetesContext, text: string): string {
  const form = formOf(context.req);
  if (form === 'object') return text;
  const object = JSON.parse(text) as KubernetesObject;
  if (form === 'metadata') return JSON.stringify(metadataOf(object));
  const table = tableForm(face, context);
  return table.of(textAt(table.row(object), face.service.now()), object.metadata.resourceVersion);
}

/** Returns the form of the tables that a request asks for. */
export function tableForm(face: Face, context: KubernetesContext): TableForm {
  const columns = contentOf(face, context.kind).columns[context.urlVersion] ?? [];
  return new TableForm(columns, includedObject(context));
}
