const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { isMainThread } = require('node:worker_threads');
const runtime = (name) => require(join(process.env.FAULT_RUNTIME, name));

/**
 * Ends the process, as `kill -9` does, before the statement FAULT_STATEMENT of a batch with a client's write; after the last one,
 * before the response. Where it was is written to FAULT_PLACE. Statements count in the thread that writes.
 */
const isOfClient = ({ action, statements = [] }) =>
  ['create', 'update', 'delete'].includes(action) || /^DELETE FROM snapshots/.test(statements[0]?.sql);
let left = Infinity;

function reached(sql) {
  left -= 1;
  if (left > 0) return;
  writeFileSync(process.env.FAULT_PLACE, sql);
  process.kill(process.pid, 'SIGKILL');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

if (!isMainThread) {
  const driver = runtime('store/sqlite/connection/driver');
  const { connect } = driver;
  driver.connect = (...args) => {
    const connection = connect(...args);
    const counted =
      (sql, action) =>
      (...values) => {
        reached(sql);
        return action(...values);
      };
    return {
      exec: (sql) => counted(sql, () => connection.exec(sql))(),
      prepare(sql) {
        const statement = connection.prepare(sql);
        return {
          run: counted(sql, (...values) => statement.run(...values)),
          get: counted(sql, (...values) => statement.get(...values)),
          all: counted(sql, (...values) => statement.all(...values)),
        };
      },
      close: () => connection.close(),
    };
  };
  const { BatchWriter } = runtime('store/sqlite/writes/batch-writer');
  const { applyBatch } = BatchWriter.prototype;
  BatchWriter.prototype.applyBatch = function (commands) {
    if (commands.some(isOfClient)) left = Number(process.env.FAULT_STATEMENT);
    const results = applyBatch.call(this, commands);
    reached('the response');
    left = Infinity;
    return results;
  };
}
