import { statSync } from 'node:fs';
import { connect } from './sqlite-driver';
import { resultCode } from './sqlite-errors';

const BUSY = 5;

/**
 * Whether another process has the SQLite file open, or this one: every open connection holds a shared lock on it in WAL
 * mode, and an exclusive one is asked for and given back. False where that cannot be found out.
 */
export function isOpenElsewhere(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return false;
  try {
    const connection = connect(path);
    try {
      connection.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK');
    } finally {
      connection.close();
    }
    return false;
  } catch (error) {
    return resultCode(error) === BUSY;
  }
}
