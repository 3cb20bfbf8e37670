import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { converterModule } from '../../src/conversion/module/converter-module';
import { conversionReport, spokeReport } from '../../src/conversion/reports/report';
import { conversions, pair, spokes } from './harness';

// UPDATE_GOLDEN=1 writes the files anew.

const FOLDER = join(__dirname, '../../fixtures/conversion');

describe.each(readdirSync(FOLDER))('%s', (name) => {
  const yaml = readFileSync(join(FOLDER, name, 'project.yaml'), 'utf8');
  const { group, kind, all } = conversions(yaml);
  const plans = [...all.values()].map(({ plan }) => plan!);

  test('is reported', () => {
    expectFile(join(FOLDER, name, 'CONVERSION.md'), conversionReport(kind.name, plans));
  });

  test('is written as code', () => {
    for (const plan of plans) {
      const place = {
        kind: kind.name,
        runtime: '../../runtime',
        userFile: `../../../kinds/${group.name}/${kind.name.toLowerCase()}`,
      };
      expectFile(
        join(FOLDER, name, `${plan.spokeVersion}.convert.ts`),
        converterModule(plan, group.types, place),
      );
    }
  });
});

function expectFile(file: string, text: string): void {
  if (process.env['UPDATE_GOLDEN']) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
}

test('a field that only the version has is reported with its default, which it shows', () => {
  const yaml = pair({
    hub: 'spec: { name: string }',
    spoke: 'spec: { name: string, level: { type: integer, default: 5 }, note: string }',
  });
  const { kind, all } = conversions(yaml);
  const report = conversionReport(
    kind.name,
    [...all.values()].map(({ plan }) => plan!),
  );
  const rows = report.match(/(?<=^\|\s+\| `spec\.).*last written.*/gm)!;
  expect(rows.map((row) => row.replaceAll(/ +/g, ' '))).toEqual([
    'level` | the value last written through this version, or 5 | preserved |',
    'note` | the value last written through this version | preserved |',
  ]);
  const [{ converter }] = spokes(yaml).values();
  const shown = converter.fromHub({ spec: { name: 'a' }, status: {} }, undefined);
  expect(shown.spec).toEqual({ name: 'a', level: 5 });
});

test('a key with a comma is one field, also next to others', () => {
  const yaml = pair({
    hub: 'spec: { m: { type: map, values: string }, city: string }',
    spoke: 'spec: { place: string, note: string, m: { type: map, values: string } }',
    rules:
      '- join: { hub: ["spec.m{a, b}", spec.city], spoke: spec.place, separator: " " }\n- rename: { hub: "spec.m{c, d}", spoke: spec.note }',
  });
  const { kind, all } = conversions(yaml);
  const report = conversionReport(
    kind.name,
    [...all.values()].map(({ plan }) => plan!),
  );
  expect(report.replaceAll(/ +/g, ' ')).toContain('| `spec.m{a, b}`, `spec.city` | `spec.place` |');
  expect(report.replaceAll(/ +/g, ' ')).toContain('| `spec.m{c, d}` | `spec.note` |');
});

test('a field of both versions is reported with the default that only the version has', () => {
  const yaml = pair({
    hub: 'spec: { name: string, region: string, place: string, tier: { type: string, default: a }, seat: string }',
    spoke: `spec:
  name: string
  region: { type: string, default: eu }
  site: { type: string, default: hall }
  tier: { type: string, default: a }
  seat: { type: string, default: front }`,
    rules: '- rename: { hub: spec.place, spoke: spec.site }\n- default: { spoke: spec.seat, value: back }',
  });
  const { all } = conversions(yaml);
  const rows = spokeReport(all.get('v1beta1')!.plan!).rows.map(({ spoke, read }) => [spoke, read]);
  expect(Object.fromEntries(rows.filter(([, read]) => read !== 'copied'))).toEqual({
    'spec.region': 'copied, or "eu"',
    'spec.site': 'copied, or "hall"',
    'spec.seat': '"back" if nothing supplies it',
  });
  const [{ converter }] = spokes(yaml).values();
  const shown = converter.fromHub({ spec: {}, status: {} }, undefined);
  expect(shown.spec).toEqual({ region: 'eu', site: 'hall', tier: 'a', seat: 'back' });
});
