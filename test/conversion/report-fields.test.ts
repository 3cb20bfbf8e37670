import { spokeReport } from '../../src/conversion/reports/report';
import type { Element, Field, FieldType, Group } from '../../src/model/project';
import { EACH_RULE } from './each-rule';
import { conversions, type Given, pair } from './harness';

// CONVERSION.md has a row for every field of both versions, or for what the field is in.

const PORTS =
  '{ type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required] }, number: integer, proto: string } } }';

const NAMED: { [name: string]: Given } = {
  'an entry and an element of the storage version': {
    hub: `spec: { labels: { type: map, values: string }, ports: ${PORTS} }`,
    spoke: 'spec: { gold: string, web: integer }',
    rules:
      '- rename: { hub: "spec.labels{gold}", spoke: spec.gold }\n- rename: { hub: "spec.ports[name=web].number", spoke: spec.web }',
  },
  'an entry and an element of the spoke': {
    hub: 'spec: { gold: string, web: integer }',
    spoke: `spec: { labels: { type: map, values: string }, ports: ${PORTS} }`,
    rules:
      '- rename: { hub: spec.gold, spoke: "spec.labels{gold}" }\n- rename: { hub: spec.web, spoke: "spec.ports[name=web].number" }',
  },
  'an element of a list that both have': {
    hub: `spec: { ports: ${PORTS} }`,
    spoke: `spec: { ports: ${PORTS} }`,
    rules: '- scale: { hub: "spec.ports[name=web].number", spoke: "spec.ports[name=web].number", factor: 2 }',
  },
};

test.each(Object.entries({ ...EACH_RULE, ...NAMED }))('%s', (_, given) => {
  const { group, kind, all } = conversions(pair(given));
  const report = spokeReport(all.get('v1beta1')!.plan!);
  for (const side of ['hub', 'spoke'] as const) {
    const { spec, status } = kind.versions.find(({ version }) => (version === 'v1') === (side === 'hub'))!;
    const rows = report.rows.map((row) => ({ paths: row[side].split(', '), text: row.read }));
    const fields = [...pathsOf(spec, ['spec'], group), ...pathsOf(status, ['status'], group)];
    const missing = fields.filter((ways) => !ways.some((way) => isReported(way, rows)));
    expect({ side, missing }).toEqual({ side, missing: [] });
  }
});

test('the others of what rules name, and keys, have rows of their own', () => {
  const rows = Object.entries(NAMED).map(([name, given]) => {
    const { rows, preserved } = spokeReport(conversions(pair(given)).all.get('v1beta1')!.plan!);
    return [name, ...rows.map((row) => Object.values(row).join(' | ')), `preserved: ${preserved.join(', ')}`];
  });
  expect(rows).toMatchSnapshot();
});

interface Row {
  paths: string[];
  text: string;
}

/** Returns true where a row has a path, or something around it that is not converted field by field. */
function isReported(path: string, rows: Row[]): boolean {
  return rows.some(({ paths, text }) =>
    paths.some((one) => one === path || (isAround(one, path) && !isOnlyAround(one, text, rows))),
  );
}

function isAround(one: string, path: string): boolean {
  return one !== '' && path.startsWith(one) && /^[.[{]/.test(path.slice(one.length));
}

/** Returns true for a row of which the fields have their own rows. */
function isOnlyAround(path: string, text: string, rows: Row[]): boolean {
  if (/^(a list with the key|a map by)/.test(text)) return true;
  return (
    /field by field|one field of it|the first element|a list of it/.test(text) &&
    rows.some(({ paths }) => paths.some((one) => isAround(path, one) || /^[A-Z]/.test(one)))
  );
}

/** Every single value of a version, each by its path, and by those from the shared types that it is in. */
function pathsOf(fields: Field[], roots: string[], group: Group, depth = 0): string[][] {
  const into = ({ type }: Element, ways: string[]): string[][] => inside(type, ways, group, depth);
  return fields.flatMap((field) =>
    into(
      field,
      roots.map((root) => `${root}.${field.name}`),
    ),
  );
}

function inside(type: FieldType, ways: string[], group: Group, depth: number): string[][] {
  const below = (element: Element, step: string) =>
    inside(
      element.type,
      ways.map((way) => way + step),
      group,
      depth,
    );
  if (type.kind === 'list') return below(type.items, '[]');
  if (type.kind === 'map') return below(type.values, '{}');
  if (type.kind === 'object') return pathsOf(type.fields, ways, group, depth);
  if (type.kind !== 'ref') return [ways];
  const { fields } = group.types.find(({ name }) => name === type.name)!;
  return depth > 2 ? [] : pathsOf(fields, [...ways, type.name], group, depth + 1);
}
