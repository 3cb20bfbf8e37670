const { join } = require('node:path');
const errors = require(join(process.env.FAULT_RUNTIME, 'store/postgres/servers/errors'));

/** Errors of PostgreSQL are passed on as they are. */
errors.storeError = (error) => error;
