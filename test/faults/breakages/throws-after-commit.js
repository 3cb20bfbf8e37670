const { readSync } = require('node:fs');
const { join } = require('node:path');
const { OpenFiles } = require(join(process.env.FAULT_RUNTIME, 'store/sqlite/file/open-files'));

/** The state of the database that is read after a commit fails the commit where it cannot be read. */
OpenFiles.prototype.state = function () {
  const header = Buffer.alloc(48);
  readSync(this.opened.walIndex, header, 0, header.length, 0);
  return header.toString('latin1');
};
