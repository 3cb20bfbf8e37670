const { join } = require('node:path');
const store = join(process.env.FAULT_RUNTIME, 'store');

/** Nothing holds the target of a reference: neither the check before a deletion nor a foreign key. */
const driver = require(join(store, 'sqlite/connection/driver'));
const { connect } = driver;
driver.connect = (...args) => {
  const connection = connect(...args);
  connection.exec('PRAGMA foreign_keys = OFF');
  return {
    exec: (sql) => connection.exec(sql.replace('foreign_keys = ON', 'foreign_keys = OFF')),
    prepare: (sql) => connection.prepare(sql),
    close: () => connection.close(),
  };
};
require(join(store, 'sqlite/indexing/index-writer')).IndexWriter.prototype.isReferred = () => false;

const schema = require(join(store, 'postgres/schema/index-tables'));
schema.INDEXING = schema.INDEXING.replace(/,\s*FOREIGN KEY .*DEFERRABLE/, '');
const statements = require(join(store, 'postgres/indexing/statements'));
statements.JUDGEMENT = statements.JUDGEMENT.replace('WHERE u.resource = m.id', 'WHERE false');
