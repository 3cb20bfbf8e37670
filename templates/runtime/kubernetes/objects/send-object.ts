import type { OutgoingHttpHeaders } from 'node:http';
import { send } from '../../http/respond';
import { contentOf, type Face, type KubernetesCall } from '../face/face';
import { formOf } from './form';
import { metadataOf, includedObject, TableForm } from './table';
import type { KubernetesObject } from './object';

/** Throws a problem 406 or 400 for a request that asks for objects in a form that they do not have. */
export function checkForm(context: KubernetesCall): void {
  if (formOf(context.req) === 'table') includedObject(context);
}

/** Sends the JSON text of an object, in the form that the request asks for. */
export function sendObject(face: Face, context: KubernetesCall, status: 200 | 201, text: string): void {
  const headers: OutgoingHttpHeaders = {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-cache, private',
  };
  if (context.warnings.length > 0) headers['Warning'] = context.warnings;
  send(context.req, context.res, status, headers, formed(face, context, text));
}

/** Returns the JSON text of an object in the form that a request asks for. */
export function formed(face: Face, context: KubernetesCall, text: string): string {
  const form = formOf(context.req);
  if (form === 'object') return text;
  const object = JSON.parse(text) as KubernetesObject;
  if (form === 'metadata') return JSON.stringify(metadataOf(object));
  const table = tableForm(face, context);
  const { resourceVersion } = object.metadata;
  const end = `],"metadata":${JSON.stringify({ resourceVersion })}}`;
  return `${table.start()}${JSON.stringify(table.row(object))}${end}`;
}

/** Returns the form of the tables that a request asks for. */
export function tableForm(face: Face, context: KubernetesCall): TableForm {
  const columns = contentOf(face, context.kind).columns[context.urlVersion] ?? [];
  return new TableForm(columns, includedObject(context), face.service.now());
}
