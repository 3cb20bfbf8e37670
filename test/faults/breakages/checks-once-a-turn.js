const { join } = require('node:path');
const { isMainThread } = require('node:worker_threads');
const { WalIndex } = require(join(process.env.FAULT_RUNTIME, 'store/sqlite/wal-index'));

/** The state of the database is read once in each turn of the event loop. */
const { state } = WalIndex.prototype;
let read;
WalIndex.prototype.state = function () {
  if (!isMainThread) return state.call(this);
  if (read === undefined) {
    read = { state: state.call(this) };
    setImmediate(() => (read = undefined));
  }
  return read.state;
};
