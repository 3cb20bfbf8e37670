const { join } = require('node:path');
const runtime = (name) => require(join(process.env.FAULT_RUNTIME, name));

/** SQLite's own busy time-out, in the thread that answers requests. */
const { SqliteStore } = runtime('store/sqlite/store');
const { open } = SqliteStore;
SqliteStore.open = (path, limits, parts) =>
  open.call(SqliteStore, path, { ...limits, writerThread: false }, parts);

const driver = runtime('store/sqlite/connection/driver');
const { connect } = driver;
driver.connect = (...args) => {
  const connection = connect(...args);
  connection.exec('PRAGMA busy_timeout = 800');
  return connection;
};
