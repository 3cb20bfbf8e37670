import type { OutgoingHttpHeaders } from 'node:http';
import { sendAllowed } from '../../api/reads/reading';
import { send } from '../../http/responses/respond';
import { collectionOf } from '../../model/kinds/kind';
import type { StoredResource } from '../../store/store';
import { contentOf, type KubernetesContext } from '../face/face';
import type { AgingText } from '../face/row-forms';
import { type Form, formOf } from './form';
import { type KubernetesObject, objectText } from './object';
import { revisionOf } from './revision';
import { includedObject, metadataOf, TableForm, textAt } from './table';

/** Copies of an object in memory: the stored text, the text of the object, and as bytes. */
const COPIES = 3;

/** GET of one object, and of its status: the same object. */
export function getObject(context: KubernetesContext): void | Promise<void> {
  const form = formOf(context.req);
  return sendAllowed(context.service, context, COPIES, (stored) => {
    const text = shownRows(context, form)(stored);
    sendFormed(context, 200, form === 'table' ? tableForm(context).of(text, revisionOf(stored)) : text);
  });
}

/** Throws a problem 406 or 400 for a request that asks for objects in a form that they do not have. */
export function checkForm(context: KubernetesContext): void {
  if (formOf(context.req) === 'table') includedObject(context);
}

/** Sends the JSON text of an object, in the form that the request asks for. */
export function sendObject(context: KubernetesContext, status: 200 | 201, text: string): void {
  sendFormed(context, status, formed(context, text));
}

/** Sends the JSON text of an object in some form. */
function sendFormed(context: KubernetesContext, status: 200 | 201, text: string): void {
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
export function formed(context: KubernetesContext, text: string): string {
  const form = formOf(context.req);
  if (form === 'object') return text;
  const object = JSON.parse(text) as KubernetesObject;
  if (form === 'metadata') return JSON.stringify(metadataOf(object));
  const table = tableForm(context);
  return table.of(textAt(table.row(object), context.service.now()), object.metadata.resourceVersion);
}

/** Returns the form of the tables that a request asks for. */
export function tableForm(context: KubernetesContext): TableForm {
  const columns = contentOf(context, context.kind).columns[context.urlVersion] ?? [];
  return new TableForm(columns, includedObject(context));
}

/** Returns how a request shows rows: as JSON texts in a form, for a table as its rows. */
export function shownRows(context: KubernetesContext, form: Form): (row: StoredResource) => string {
  const { kind, urlVersion } = context;
  const now = context.service.now();
  const make = makerOf(context, form);
  const included = form === 'table' ? ` ${includedObject(context)}` : '';
  const name = `${form}${included} ${collectionOf(kind)} ${urlVersion}`;
  return (row) => textAt(context.forms.of(name, row, make), now);
}

/** Returns how rows are shown in a form: an age stays open until the row is sent. */
function makerOf(context: KubernetesContext, form: Form): (row: StoredResource) => AgingText {
  const { kind, urlVersion: version } = context;
  const textOf = (row: StoredResource): string => objectText(kind, row, version);
  const whole = (text: string): AgingText => ({ parts: [text], times: [] });
  if (form === 'object') return (row) => whole(textOf(row));
  const parsed = (row: StoredResource): KubernetesObject => JSON.parse(textOf(row)) as KubernetesObject;
  if (form === 'metadata') return (row) => whole(JSON.stringify(metadataOf(parsed(row))));
  const table = tableForm(context);
  return (row) => table.row(parsed(row));
}
