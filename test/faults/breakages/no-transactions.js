const { join } = require('node:path');
const driver = require(join(process.env.FAULT_RUNTIME, 'store/sqlite/connection/driver'));

/** Every statement is a transaction of its own. */
const { connect } = driver;
driver.connect = (...args) => {
  const connection = connect(...args);
  return {
    exec: (sql) => /^(BEGIN|COMMIT|ROLLBACK)/.test(sql) || connection.exec(sql),
    prepare: (sql) => connection.prepare(sql),
    close: () => connection.close(),
  };
};
