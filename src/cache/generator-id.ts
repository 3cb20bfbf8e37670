import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { digestOf } from './digest';

const ROOT = join(__dirname, '..', '..');

/** Packages whose code decides what is rendered, or what is refused. */
const PACKAGES = ['ajv', 'handlebars', 'recheck', 'yaml'];

let id: string | undefined;

/**
 * What two runs of svcgen have in common only if they make the same of the same project: its code and its templates,
 * byte for byte, the versions of the packages that it renders with, and of Node.
 */
export function generatorId(): string {
  id ??= digestOf(
    process.version,
    ...PACKAGES.map(packageVersion),
    readFileSync(join(ROOT, 'package.json')),
    ...contents(join(__dirname, '..')),
    ...contents(join(ROOT, 'templates')),
  );
  return id;
}

function packageVersion(name: string): string {
  const { version } = createRequire(__filename)(`${name}/package.json`) as { version: string };
  return `${name}@${version}`;
}

/** Path and bytes of every file below a folder. */
function contents(folder: string): (string | Uint8Array)[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return files.flatMap((path) => [path.slice(folder.length), readFileSync(path)]);
}
