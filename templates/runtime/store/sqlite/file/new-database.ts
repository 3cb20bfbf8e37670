import { closeSync, constants, copyFileSync, existsSync, linkSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../../files/make-folder';
import { StoreUnavailable } from '../../store';
import { connect } from '../connection/driver';
import { APPLICATION_ID } from './migrations';

/** Only the user of the service may read a database and its folder. SQLite gives its log the mode of the database. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/**
 * Creates a database with its folders where there is none. The file gets its name only when it is a database: under
 * that name an empty file is never seen, neither by another process nor after a crash. So an empty file has lost its
 * contents. Throws StoreUnavailable where no folder can be made.
 */
export function createDatabase(path: string): void {
  makeFolderOf(path);
  if (existsSync(path)) return;
  const made = `${path}.${process.pid}.new`;
  rmSync(made, { force: true });
  closeSync(openSync(made, 'wx', FILE_MODE));
  const connection = connect(made);
  try {
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    name(made, path);
  } finally {
    connection.close();
    rmSync(made, { force: true });
  }
}

function makeFolderOf(path: string): void {
  const folder = dirname(path);
  try {
    makeFolder(folder, FOLDER_MODE);
  } catch (error) {
    const reason = `the folder ${folder} cannot be made (${(error as Error).message})`;
    throw new StoreUnavailable(`${reason}; let DATABASE_URL name a file in another one`, false, {
      cause: error,
    });
  }
}

/** Renames a file, unless another process was faster. */
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
