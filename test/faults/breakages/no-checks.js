const { join } = require('node:path');
const check = require(join(process.env.FAULT_RUNTIME, 'store/database-check'));

/** The database is not looked at: neither at start, nor whether its file is still there. */
check.checkDatabase = () => undefined;
check.DatabaseFile.prototype.verify = () => undefined;
