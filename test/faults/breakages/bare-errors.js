const { join } = require('node:path');
const errors = require(join(process.env.FAULT_RUNTIME, 'store/sqlite/connection/errors'));

/** Errors of SQLite while reading are passed on as they are. */
errors.guard = (action) => action();
