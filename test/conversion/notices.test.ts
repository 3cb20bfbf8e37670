import { conversions, pair } from './harness';

function noticesOf(hub: string, spoke: string, rules?: string): string[] {
  const [{ notices }] = [
    ...conversions(pair({ hub: `spec: ${hub}`, spoke: `spec: ${spoke}`, rules })).all.values(),
  ];
  return notices;
}

test('fields that only one version has, with the likeliest rename', () => {
  expect(noticesOf('{ location: string, a: string, h: integer }', '{ loc: string, a: string }')).toEqual([
    '`spec.location` is only in v1, `spec.loc` only in v1beta1: rename?',
    '`spec.h` is in v1, not in v1beta1',
  ]);
});

test('the functions of a rule custom', () => {
  const rules = '- custom: { hub: [spec.lat, spec.lon], spoke: [spec.position], name: position }';
  const fields = '{ lat: { type: number, rules: [required] }, lon: number }';
  expect(noticesOf(fields, '{ position: { type: string, rules: ["oneof=a b"] } }', rules)).toEqual([
    [
      "`custom position` of v1beta1 calls two functions of the kind's own file:",
      "  export function positionToHub(spoke: { position?: 'a' | 'b' }, stored?: { lat: number; lon?: number }): { lat: number; lon?: number } { … }",
      "  export function positionFromHub(hub: { lat: number; lon?: number }): { position?: 'a' | 'b' } { … }",
    ].join('\n'),
  ]);
});

test('the functions of a rule custom for both directions', () => {
  const rules =
    '- custom: { hub: [spec.lat, spec.lon], spoke: [spec.position], name: position, inverse: latLon }';
  expect(noticesOf('{ lat: number, lon: number }', '{ position: string }', rules)).toEqual([
    [
      "`custom position` of v1beta1 calls four functions of the kind's own file:",
      '  export function positionToHub(spoke: { position?: string }, stored?: { lat?: number; lon?: number }): { lat?: number; lon?: number } { … }',
      '  export function positionFromHub(hub: { lat?: number; lon?: number }): { position?: string } { … }',
      '  export function latLonToHub(spoke: { lat?: number; lon?: number }, stored?: { position?: string }): { position?: string } { … }',
      '  export function latLonFromHub(hub: { position?: string }): { lat?: number; lon?: number } { … }',
    ].join('\n'),
  ]);
});
