import { type AgingText, RowForms } from '../../../templates/runtime/kubernetes/face/row-forms';
import type { KubernetesObject } from '../../../templates/runtime/kubernetes/objects/object';
import { TableForm, textAt } from '../../../templates/runtime/kubernetes/objects/table';
import type { StoredResource } from '../../../templates/runtime/store/store';

const ROW = {
  ...{ id: 1, uid: 'dev-1', revision: 3, version: 'v1' },
  ...{ text: '{}', etag: '"1"', position: '7' },
} as StoredResource;

/** Returns forms, and the number of those that were made. */
function counting(limit = 16 * 1024 * 1024): {
  forms: RowForms;
  made(): number;
  show(name: string, row: StoredResource): AgingText;
} {
  const forms = new RowForms(limit);
  let made = 0;
  const make = (row: StoredResource): AgingText => ({ parts: [`${++made} ${row.text}`], times: [] });
  return { forms, made: () => made, show: (name, row) => forms.of(name, row, make) };
}

test('the form of an unchanged row is made once', () => {
  const { show, made } = counting();
  expect(show('object', ROW)).toEqual(show('object', { ...ROW }));
  expect(made()).toBe(1);
});

test.each<[string, Partial<StoredResource>]>([
  ['text', { etag: '"2"', text: '{"a":1}' }],
  ['preserved fields', Object.fromEntries([['kept', '{"fieldOwners":{}}']])],
  ['position', { position: '8' }],
  ['version', { version: 'v2' }],
  ['uid', { uid: 'dev-2' }],
])('a row with another %s has another form', (_what, change) => {
  const { show, made } = counting();
  show('object', ROW);
  expect(show('object', { ...ROW, ...change }).parts[0]).toMatch(/^2 /);
  expect(made()).toBe(2);
});

test('forms beyond the limit are made again', () => {
  const { show, made } = counting(0);
  show('object', ROW);
  show('object', ROW);
  expect(made()).toBe(2);
});

test('forms of the same row are different ones', () => {
  const { show } = counting();
  expect(show('object', ROW)).not.toEqual(show('table', ROW));
});

test('forms take a limited memory', () => {
  const { show, made } = counting();
  show('object', ROW);
  const text = 'x'.repeat(100_000);
  for (let number = 0; number < 200; number++) show('object', { ...ROW, uid: `other-${number}`, text });
  show('object', ROW);
  expect(made()).toBe(202);
});

test('a large form is not cached', () => {
  const { show, made } = counting();
  const large = { ...ROW, text: 'x'.repeat(1_000_000) };
  show('object', large);
  show('object', large);
  expect(made()).toBe(2);
});

test('ages are of the moment', () => {
  const text = { parts: ['["a",', ',1,', ']'], times: [0, 60_000] };
  expect(textAt(text, 90_000)).toBe('["a","90s",1,"30s"]');
  expect(textAt(text, 3_600_000)).toBe('["a","60m",1,"59m"]');
});

test('an object in a column of times is no time', () => {
  const metadata = { name: 'lamp', creationTimestamp: '2026-01-31T12:00:00Z' };
  const object = { metadata, spec: { seen: { toString: 1 } } } as unknown as KubernetesObject;
  const columns = [{ title: 'Seen', path: 'spec.seen', type: 'date' as const }];
  expect(new TableForm(columns, 'None').row(object).times).toEqual([NaN, Date.UTC(2026, 0, 31, 12)]);
});
