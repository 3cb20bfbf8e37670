const { join } = require('node:path');
const setup = require(join(process.env.FAULT_RUNTIME, 'store/sqlite/file/setup'));

/** Commits are not synced. */
const { makeDurable } = setup;
setup.makeDurable = (connection, path) => {
  makeDurable(connection, path);
  connection.exec('PRAGMA synchronous = OFF');
};
