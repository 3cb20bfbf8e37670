import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { loadConverter } from '../../src/conversion/load';
import { conversionReport } from '../../src/conversion/report';
import { converterModule } from '../../src/conversion/emit';
import { conversions } from './harness';

// UPDATE_GOLDEN=1 writes the files anew.

const FOLDER = join(__dirname, '../../fixtures/conversion');
const RUNTIME = join(__dirname, '../../templates/runtime');

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

  test('is loaded in this process', () => {
    const user = join(FOLDER, name, 'kind');
    const converters = plans.map((plan) =>
      loadConverter(plan, group.types, kind.name, {
        runtime: RUNTIME,
        userFile: existsSync(`${user}.ts`) ? user : undefined,
        transpile: (text) =>
          ts.transpileModule(text, {
            compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
          }).outputText,
        read: (file) => readFileSync(`${file}.ts`, 'utf8'),
      }),
    );
    for (const converter of converters) {
      expect(
        converter.toHub(converter.fromHub({ spec: {}, status: {} }, undefined), undefined).hub.spec,
      ).toBeDefined();
    }
  });
});

function expectFile(file: string, text: string): void {
  if (process.env['UPDATE_GOLDEN']) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
}
