import { constants, copyFileSync, existsSync, linkSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { APPLICATION_ID } from './migrations';
import { connect } from './sqlite-driver';

/**
 * Makes a database with its folders where there is none. It gets its name when it is one: under that name an empty
 * file is never seen, neither by another process nor after a crash. So an empty file has lost its contents.
 */
export function createDatabase(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path)) return;
  const made = `${path}.${process.pid}.new`;
  rmSync(made, { force: true });
  const connection = connect(made);
  try {
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    name(made, path);
  } finally {
    connection.close();
    rmSync(made, { force: true });
  }
}

/** Gives a file its name, unless another process was faster. */
function name(made: string, path: string): void {
  try {
    linkSync(made, path);
  } catch (error) {
    if (isTaken(error)) return;
    copy(made, path);
  }
}

/** Some file systems have no links. */
function copy(made: string, path: string): void {
  try {
    copyFileSync(made, path, constants.COPYFILE_EXCL);
  } catch (error) {
    if (!isTaken(error)) throw error;
  }
}

const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';
