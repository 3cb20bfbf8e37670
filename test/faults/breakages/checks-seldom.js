const { join } = require('node:path');
const { isMainThread } = require('node:worker_threads');
const { OpenFiles } = require(join(process.env.FAULT_RUNTIME, 'store/sqlite/file/open-files'));

/** More than there are requests in the queue of a process under load: it is behind by no fixed time. */
const CALLS = 5_000;

/** The state of the database is read again after so many calls. */
const { state } = OpenFiles.prototype;
let read;
let calls = 0;
OpenFiles.prototype.state = function () {
  if (!isMainThread) return state.call(this);
  if (calls++ % CALLS === 0) read = state.call(this);
  return read;
};
