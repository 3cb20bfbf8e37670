import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, WORK } from './services';

/** Another commit of svcgen, installed and built. */
export interface Checkout {
  folder: string;
  /** The abbreviated hash. */
  name: string;
}

/** Returns a commit, which is installed and built unless an earlier run did that. Throws what git or npm print. */
export function checkOut(commit: string): Checkout {
  const name = git('rev-parse', '--short', '--verify', `${commit}^{commit}`).trim();
  const folder = join(WORK, 'commits', name);
  const built = join(folder, '.built');
  if (existsSync(built)) return { folder, name };
  process.stderr.write(`installing and building ${name}\n`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = `${folder}.tar`;
  git('archive', '--output', archive, name);
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  rmSync(archive);
  // It builds svcgen, too: `prepare` of package.json.
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync(built, '');
  return { folder, name };
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
}
