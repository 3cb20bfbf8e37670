import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { middlewareNotices } from '../../src/generate/missing-middleware';
import { staleImports } from '../../src/generate/stale-imports';
import type { Project } from '../../src/model/project';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'svcgen-imports-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function given(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const INDEXES: { [path: string]: string } = {
  'src/generated/index.ts': `export * from './runtime';
export { service } from './service';
export { kind as deviceKind } from './kinds/example.svc.dev/device/kind';
export type {
  Device as DeviceV1,
  DeviceSpec as DeviceV1Spec,
} from './kinds/example.svc.dev/device/v1';
`,
  'src/generated/runtime/index.ts': `export { startController, type Controller } from './events/controller';
export type { Policy } from './kind';
`,
};

describe('an import that reaches below src/generated is reported with the one to write', () => {
  const cases: { path?: string; line: string; hint?: string }[] = [
    {
      line: "import type { Device } from '../../generated/example.svc.dev/device/v1';",
      hint: "write: import type { DeviceV1 as Device } from '../../generated';",
    },
    {
      line: "import { type DeviceSpec as Spec } from '../../generated/kinds/example.svc.dev/device/v1';",
      hint: "write: import { type DeviceV1Spec as Spec } from '../../generated';",
    },
    {
      line: "import { kind as deviceKind } from '../../generated/example.svc.dev/device/kind';",
      hint: "write: import { deviceKind } from '../../generated';",
    },
    {
      path: 'test/app.test.ts',
      line: "import { service as definition } from '../src/generated/service';",
      hint: "write: import { service as definition } from '../src/generated';",
    },
    {
      line: "import { startController, type Controller } from '../../generated/runtime/controllers/moved';",
      hint: "write: import { startController, type Controller } from '../../generated';",
    },
    {
      line: "import { Turns, type Policy } from '../../generated/runtime/kind';",
      hint: "write: import { type Policy } from '../../generated'; Turns: internal, with no public name; do without",
    },
    {
      line: "import type { Condition } from '../../generated/example.svc.dev/device/v1';",
      hint: "Condition: internal, with no public name; derive it from a field that has it, such as DeviceV1Spec['name']",
    },
    {
      path: 'test/app.test.ts',
      line: "jest.mock('../src/generated/runtime/serve');",
      hint: "import from '../src/generated' what you use of it",
    },
    {
      line: "import * as runtime from '../../generated/runtime/kind';",
      hint: "import from '../../generated' what you use of it",
    },
    {
      line: "const serve = require('../../generated/runtime/serve');",
      hint: "import from '../../generated' what you use of it",
    },
    {
      line: "type Kind = import('../../generated/runtime/kind').KindDefinition;",
      hint: "import from '../../generated' what you use of it",
    },
    {
      path: 'src/app.mts',
      line: "import { kind as deviceKind } from './generated/kinds/example.svc.dev/device/kind.js';",
      hint: "write: import { deviceKind } from './generated';",
    },
    { line: "import { serve } from '../../generated';" },
    { path: 'src/app.mts', line: "import { mount } from './generated/index.js';" },
    { line: "import { createClient } from '../../generated/client/index.mjs';" },
    { line: "const { serve } = require('../../generated/index.cjs');" },
    { line: "import { createClient } from '../../generated/client';" },
    { line: "const text = '../../generated/runtime/serve';" },
    { line: "// import { serve } from '../../generated/runtime/serve';" },
    { line: "import x from '../other/generated/y';" },
  ];
  test.each(cases)('$line', ({ path = 'src/kinds/a/device.ts', line, hint }) => {
    given(path, `// first\n  ${line}\n`);
    const want = hint === undefined ? [] : [{ file: path, line: 2, hint, source: `  ${line}` }];
    const found = staleImports(folder, (index) => INDEXES[index]);
    expect(found).toMatchObject(want);
    expect(found).toHaveLength(want.length);
    for (const { column } of found) expect(line[column! - 3]).toBe("'");
  });

  test('generated files are left alone', () => {
    given('src/generated/routes.ts', "import { mount } from './runtime/mount';");
    given('src/kinds/generated/x.ts', "import { mount } from '../../generated/runtime/mount';");
    expect(staleImports(folder, () => undefined)).toEqual([]);
  });
});

describe('scaffolded files and the examples of the docs import src/generated and nothing below it', () => {
  const root = join(__dirname, '../..');
  const files = ['docs', 'templates/project', 'examples'].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(md|ts|hbs)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  test.each(files.map((file) => file.slice(root.length + 1)))('%s', (file) => {
    const imports = readFileSync(join(root, file), 'utf8').matchAll(
      /from '([./]+(?:src\/)?generated[^']*)'/g,
    );
    expect(
      [...imports].map(([, from]) => from).filter((from) => !/generated(\/client)?$/.test(from)),
    ).toEqual([]);
  });
});

describe('sources that cannot be read are left to the compiler', () => {
  test('a pipe in the place of the application', () => {
    mkdirSync(join(folder, 'src'));
    execFileSync('mkfifo', [join(folder, 'src/app.ts')]);
    expect(
      middlewareNotices(folder, { security: [{ type: 'bearer' }] } as Partial<Project> as Project),
    ).toEqual([]);
    expect(staleImports(folder, () => undefined)).toEqual([]);
  });

  (process.getuid?.() === 0 ? test.skip : test)('a file and a folder of somebody else', () => {
    given('src/app.ts', "import '../src/generated/x';");
    given('src/other/x.ts', '');
    for (const path of ['src/app.ts', 'src/other']) chmodSync(join(folder, path), 0);
    expect(staleImports(folder, () => undefined)).toEqual([]);
    chmodSync(join(folder, 'src/other'), 0o700);
  });
});
