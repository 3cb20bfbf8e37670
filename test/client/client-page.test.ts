import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { loadProject } from '../../src/load/load-project';
import { render } from '../../src/render/render';
import { blocksOf, isAsShown, type Block } from '../page';
import { startService, type TestService } from '../runtime/harness';

// docs/client.md: its TypeScript is one program, its commands are one script, both run against a service of the demo.

const ROOT = join(__dirname, '../..');
const FOLDER = join(ROOT, '.tmp/client-page');
const BETWEEN = '-- next block --';
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.CommonJS,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  outDir: join(FOLDER, 'dist'),
  rootDir: FOLDER,
};
const blocks = blocksOf(join(ROOT, 'docs/client.md'));

let service: TestService;
beforeAll(async () => {
  const { project } = loadProject(join(ROOT, 'examples/device-service'));
  rmSync(FOLDER, { recursive: true, force: true });
  for (const { path, text } of render(project)) if (path.startsWith('src/generated/')) write(path, text);
  service = await startService(project, { environment: { EVENTS_POLL_MS: '5' } });
});
afterAll(() => service.close());

test('the program compiles, and prints what is shown', async () => {
  const [imports = '', ...rest] = textsOf('ts')
    .join(`console.log('${BETWEEN}');\n`)
    .replace('http://localhost:8080', service.url)
    .split(/(?<=;\n)\n/);
  const token = "const token = async (): Promise<string> => 'x';";
  const main = write(
    'main.ts',
    `${imports}\n${token}\nasync function main(): Promise<void> {\n${rest.join('\n')}}\nvoid main();\n`,
  );
  expect(compile(main, write('ctl.ts', "import './src/generated/ctl';\n"))).toEqual([]);
  expectShown('ts', await run(process.execPath, ['dist/main.js'], {}));
});

test('the commands print what is shown', async () => {
  const documents = blocks.find(({ directive }) => directive === 'file')!;
  write(documents.argument, documents.text);
  const npx = `npx() { shift; ${process.execPath} dist/src/generated/ctl.js "$@"; }`;
  const script = [npx, textsOf('sh').join(`echo '${BETWEEN}'\n`)].join('\n');
  const environment = { DEVICE_SERVICE_SERVER: service.url };
  expectShown('sh', await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], environment));
});

/** The blocks of a language that are run. */
function blocksIn(language: string): Block[] {
  return blocks.filter((block) => block.language === language && block.directive !== 'not run');
}

/** What they say. */
function textsOf(language: string): string[] {
  return blocksIn(language).map(({ text }) => text);
}

/** Compares what each block of a language printed with the block behind it. */
function expectShown(language: string, printed: string): void {
  const parts = printed.split(`${BETWEEN}\n`);
  blocksIn(language).forEach((block, index) => {
    const next = blocks[blocks.indexOf(block) + 1];
    const shown = next?.language === '' ? next.text : '';
    if (!isAsShown(parts[index] ?? '', shown)) expect(parts[index]).toBe(shown);
  });
}

function write(path: string, text: string): string {
  const file = join(FOLDER, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** Compiles files with all that they import; gives what the compiler says. */
function compile(...files: string[]): string[] {
  const program = ts.createProgram(files, OPTIONS);
  program.emit();
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** The output of a program. Throws when it fails. */
function run(file: string, args: string[], environment: { [name: string]: string }): Promise<string> {
  const env = { PATH: process.env['PATH'], ...environment };
  return new Promise((resolve, reject) => {
    execFile(file, args, { cwd: FOLDER, env }, (error, stdout, stderr) =>
      error ? reject(new Error(`${error.message}\n${stdout}${stderr}`)) : resolve(stdout),
    );
  });
}
