import { represent } from '../../../templates/runtime/api/reads/representation';
import { etagOf } from '../../../templates/runtime/model/etag';
import type { Stored } from '../../../templates/runtime/model/kinds/versioning';
import { pair } from '../../conversion/harness';
import { Served, write } from '../../conversion/moving';

// A resource that takes the uid and revision of another is never shown as that.

const kind = served('{ a: string }');

function served(fields: string) {
  const rules = '- rename: { hub: spec.a, spoke: spec.b }';
  return new Served(pair({ hub: `spec: ${fields}`, spoke: 'spec: { b: string, own: string }', rules }), {});
}

function stored(version: string, spec: { [name: string]: string }): Stored {
  const { row } = write(kind, undefined, version, spec)!;
  return { ...row, uid: 'thi-0', revision: 1, etag: etagOf(row.text) };
}

test.each([
  ['another spec', stored('v1', { a: 'one' }), stored('v1', { a: 'two' })],
  [
    'the same spec, and other preserved fields',
    stored('v1beta1', { b: 'b', own: 'x' }),
    stored('v1beta1', { b: 'b', own: 'y' }),
  ],
  ['no preserved fields', stored('v1beta1', { b: 'b', own: 'x' }), stored('v1', { a: 'b' })],
])('%s', (_, first, second) => {
  const shown = [first, second].map((one) => represent(kind.kind, one, 'v1beta1').text);
  const alone = [first, second].map(
    (one) => represent(kind.kind, { ...one, revision: undefined }, 'v1beta1').text,
  );
  expect(shown).toEqual(alone);
  expect(shown[0]).not.toBe(shown[1]);
});

test('a conversion is remembered', () => {
  const one = stored('v1', { a: 'remembered' });
  expect(represent(kind.kind, one, 'v1beta1')).toBe(represent(kind.kind, { ...one }, 'v1beta1'));
});
