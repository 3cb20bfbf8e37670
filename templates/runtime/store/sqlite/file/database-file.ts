import { readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StoreRefused } from '../../store';

/** The path of a database in memory. */
export const IN_MEMORY = ':memory:';

/** Maximum length of a chain of links to a database; the same as in Linux. */
const MOST_LINKS = 40;

/** SQLite's own URIs and their parameters, which would become a part of the name; and a folder that need not exist. */
const NO_PATH = /^file:|\?|[/\\]$/;

/** Returns the name of the file in a URL; undefined for a URL of another kind of database. */
export function fileOf(url: string): string | undefined {
  return /^sqlite:(?!\/\/)(.+)$/s.exec(url)?.[1];
}

/**
 * Returns the path of the database file behind symbolic links, the last of which may lead to a file that does not exist
 * yet. SQLite puts the log and its index next to the file, not next to a link. Throws StoreRefused for circular links,
 * and for a name that is no path.
 */
export function databaseFile(name: string): string {
  if (NO_PATH.test(name))
    throw new StoreRefused(
      `sqlite:${name} names no file; DATABASE_URL is sqlite:<file>, without "file:", without "?" and its parameters, ` +
        'and without a slash at the end',
    );
  let path = name;
  for (let links = 0; links <= MOST_LINKS; links++) {
    const target = targetOf(path);
    if (target === undefined) return path;
    path = resolve(realpathSync(dirname(path)), target);
  }
  throw new StoreRefused(`${name} is a symbolic link that leads to no file`);
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // It is no link, or there is nothing yet; opening it reports any other error.
    return undefined;
  }
}
