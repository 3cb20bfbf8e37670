import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import type { Project } from '../../src/model/project';
import { plannedProject } from '../../src/plan/planned-project';
import { render } from '../../src/render/render';
import { type Block, isAsShown } from '../support/page';

const BETWEEN = '-- next block --';

/** The examples of a page about the client and the command line: its TypeScript is one program, its commands are one script. */
export class PageProgram {
  /** Renders the project into a folder. */
  constructor(
    private readonly folder: string,
    private readonly project: Project,
    private readonly blocks: readonly Block[],
  ) {
    rmSync(folder, { recursive: true, force: true });
    for (const { path, text } of render(plannedProject(project)))
      if (path.startsWith('src/generated/')) this.#write(path, text);
  }

  /** Compiles the program and the command line, runs the program against a service, and compares what is printed. */
  async expectProgram(url: string): Promise<void> {
    const [imports = '', ...rest] = this.#textsOf('ts')
      .join(`console.log('${BETWEEN}');\n`)
      .replace('http://localhost:8080', url)
      .split(/(?<=;\n)\n/);
    const token = "export const token = async (): Promise<string> => 'x';";
    const main = this.#write(
      'main.ts',
      `${imports}\n${token}\nasync function main(): Promise<void> {\n${rest.join('\n')}}\nvoid main();\n`,
    );
    expect(this.#compile(main, this.#write('ctl.ts', "import './src/generated/ctl';\n"))).toEqual([]);
    this.#expectShown('ts', await this.#run(process.execPath, ['dist/main.js'], {}));
  }

  /** Runs the commands against a service, after `expectProgram`, and compares what is printed. */
  async expectCommands(url: string): Promise<void> {
    for (const { directive, argument, text } of this.blocks)
      if (directive === 'file') this.#write(argument, text);
    const ctl = `${this.project.name}ctl() { ${process.execPath} dist/src/generated/ctl.js "$@"; }`;
    const script = [ctl, this.#textsOf('sh').join(`echo '${BETWEEN}'\n`)].join('\n');
    const environment = { [`${this.project.name.toUpperCase().replaceAll('-', '_')}_SERVER`]: url };
    this.#expectShown(
      'sh',
      await this.#run('bash', ['--norc', '-euo', 'pipefail', '-c', script], environment),
    );
  }

  /** The blocks of a language that are run. */
  #blocksIn(language: string): Block[] {
    return this.blocks.filter((block) => block.language === language && block.directive !== 'not run');
  }

  #textsOf(language: string): string[] {
    return this.#blocksIn(language).map(({ text }) => text);
  }

  /** Compares what each block of a language printed with the block behind it. */
  #expectShown(language: string, printed: string): void {
    const parts = printed.split(`${BETWEEN}\n`);
    this.#blocksIn(language).forEach((block, index) => {
      const next = this.blocks[this.blocks.indexOf(block) + 1];
      const shown = next?.language === '' ? next.text : '';
      if (!isAsShown(parts[index] ?? '', shown)) expect(parts[index]).toBe(shown);
    });
  }

  #write(path: string, text: string): string {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  /** Compiles files with all their imports and returns the compiler's messages. */
  #compile(...files: string[]): string[] {
    const program = ts.createProgram(files, {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.CommonJS,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      types: ['node'],
      strict: true,
      skipLibCheck: true,
      outDir: join(this.folder, 'dist'),
      rootDir: this.folder,
    });
    program.emit();
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  }

  /** The output of a program. Throws when it fails. */
  #run(file: string, args: string[], environment: { [name: string]: string }): Promise<string> {
    const env = { PATH: process.env['PATH'], ...environment };
    return new Promise((resolve, reject) => {
      execFile(file, args, { cwd: this.folder, env }, (error, stdout, stderr) =>
        error ? reject(new Error(`${error.message}\n${stdout}${stderr}`)) : resolve(stdout),
      );
    });
  }
}
