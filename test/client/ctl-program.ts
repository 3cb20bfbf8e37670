import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import ts from 'typescript';
import type { Project } from '../../src/model/project';
import { plannedProject } from '../../src/plan/planned-project';
import { render } from '../../src/render/render';

/** Exit status and output of a command. */
export interface Result {
  code: number | null;
  out: string;
  err: string;
}

/** The command line of a project as it is rendered and compiled, run in a process of its own. */
export class CtlProgram {
  /** `url` is that of the service. */
  url = '';

  constructor(
    readonly folder: string,
    readonly project: Project,
  ) {
    rmSync(folder, { recursive: true, force: true });
    for (const { path, text } of render(plannedProject(project))) {
      if (!/^src\/(generated|kinds)\/.*\.ts$/.test(path)) continue;
      const { outputText } = ts.transpileModule(text, {
        compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
      });
      const place = join(folder, path.replace(/\.ts$/, '.js'));
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, outputText);
    }
  }

  /** Starts a command and leaves it running. */
  start(args: string[], environment: { [name: string]: string } = {}): ChildProcess {
    const variable = `${this.project.name.toUpperCase().replaceAll('-', '_')}_SERVER`;
    const env = { PATH: process.env['PATH'], [variable]: this.url, ...environment };
    return spawn(process.execPath, [join(this.folder, 'src/generated/ctl.js'), ...args], { env });
  }

  /** Runs a command to its end. */
  async run(
    args: string[],
    { input = '', env = {} }: { input?: string; env?: { [name: string]: string } } = {},
  ): Promise<Result> {
    const child = this.start(args, env);
    child.stdin!.end(input);
    const [out, err, [code]] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    return { code, out, err };
  }
}
