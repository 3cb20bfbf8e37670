import { readdirSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { explainFileError, hasCode } from '../files/file-errors';
import { readProject } from '../load/load-project';
import { refuse } from '../model/problem';
import { planProject } from '../plan/plan-project';
import { readManifest } from '../render/features/manifest';
import { writeFiles } from '../write/write';
import { findProject } from './project-folder';
import type { Outcome, Session } from './session';

interface Options {
  project?: string;
  out: string;
  name?: string;
}

const MANIFEST = 'package.json';

/** The names that npm accepts for a package, with or without a scope. */
const PACKAGE_NAME = /^(?=.{1,214}$)(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

/** `svcgen client`: the typed client as a package of its own. */
export async function run({ io }: Session, options: Options): Promise<Outcome> {
  const plan = planProject(readProject(findProject(io.cwd(), options.project)));
  const name = options.name ?? `${plan.project.name}-client`;
  if (!PACKAGE_NAME.test(name))
    refuse(
      `${JSON.stringify(name)} is not a valid package name`,
      'such as device-client or @example/device-client',
    );
  // The compiler takes a while to load.
  const { clientPackage, WRITTEN_BY } = await import('../render/client-package');
  const folder = resolve(io.cwd(), options.out);
  checkFolder(folder, options.out, WRITTEN_BY);
  const files = clientPackage(plan, name);
  // The package.json comes first: by it, the next run recognises a package that an interrupted one left.
  const ordered = files.toSorted((a, b) => Number(b.path === MANIFEST) - Number(a.path === MANIFEST));
  await writeFiles(folder, ordered);
  removeStale(folder, files);
  const shown = relative(io.cwd(), folder) || '.';
  return {
    exit: 0,
    notes: [`svcgen: ${name} is in ${shown}; distribute it with npm pack or npm publish there`],
    more: { package: { name, folder, files: files.map(({ path }) => path) } },
  };
}

/** Removes the compiled files of an earlier client that this one does not have. */
function removeStale(folder: string, files: { path: string }[]): void {
  const wanted = new Set(files.map(({ path }) => join(folder, path)));
  try {
    for (const entry of readdirSync(join(folder, 'dist'), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isDirectory() && !wanted.has(path)) rmSync(path);
    }
  } catch (error) {
    throw explainFileError(error);
  }
}

/** Refuses a folder with anything in it, unless that is a package that svcgen wrote. */
function checkFolder(folder: string, shown: string, mark: string): void {
  let entries: string[];
  try {
    // A run that was interrupted left its working files.
    entries = readdirSync(folder).filter((name) => name !== '.svcgen');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw explainFileError(error);
  }
  if (entries.length === 0 || isOurs(folder, mark)) return;
  refuse(
    `${shown} contains files that svcgen client did not write`,
    'choose a new or empty folder with --out',
  );
}

function isOurs(folder: string, mark: string): boolean {
  const { description } = Object(readManifest(join(folder, MANIFEST))) as { description?: unknown };
  return typeof description === 'string' && description.endsWith(mark);
}
