import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of svcgen itself: the nearest one above this file with a package.json. */
export const ROOT = rootAbove(__dirname);

/** The folder of everything that lands in a service. */
export const TEMPLATES = join(ROOT, 'templates');

/** The folder of the static files that `npm run build` makes of `console/`. */
export const BUILT_CONSOLE = join(ROOT, 'dist/console');

/** The parts of svcgen's package.json that it uses itself. */
interface Manifest {
  version: string;
  dependencies: { [name: string]: string };
  devDependencies: { [name: string]: string };
}

/** Reads svcgen's own package.json. */
export function manifest(): Manifest {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
}

function rootAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : rootAbove(dirname(folder));
}
