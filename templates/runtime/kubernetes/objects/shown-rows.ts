import { collectionOf } from '../../model/kinds/kind';
import type { StoredResource } from '../../store/store';
import type { Face, KubernetesContext } from '../face/face';
import type { AgingText } from '../face/row-forms';
import { textAt } from './age';
import type { Form } from './form';
import { type KubernetesObject, objectText } from './object';
import { tableForm } from './send-object';
import { includedObject, metadataOf } from './table';

/** Returns how a request shows rows: as JSON texts in a form, for a table as its rows. */
export function shownRows(
  face: Face,
  context: KubernetesContext,
  form: Form,
): (row: StoredResource) => string {
  const { kind, urlVersion: version } = context;
  const { forms } = face;
  const now = face.service.now();
  const make = makerOf(face, context, form);
  const included = form === 'table' ? ` ${includedObject(context)}` : '';
  const name = `${form}${included} ${collectionOf(kind)} ${version}`;
  return (row) => textAt(forms.of(name, row, make), now);
}

function makerOf(face: Face, context: KubernetesContext, form: Form): (row: StoredResource) => AgingText {
  const { kind, urlVersion: version } = context;
  const textOf = (row: StoredResource): string => objectText(kind, row, version);
  const whole = (text: string): AgingText => ({ parts: [text], times: [] });
  if (form === 'object') return (row) => whole(textOf(row));
  const parsed = (row: StoredResource): KubernetesObject => JSON.parse(textOf(row)) as KubernetesObject;
  if (form === 'metadata') return (row) => whole(JSON.stringify(metadataOf(parsed(row))));
  const table = tableForm(face, context);
  return (row) => table.row(parsed(row));
}
