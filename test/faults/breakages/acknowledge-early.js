const { join } = require('node:path');
const { GroupCommit } = require(join(process.env.FAULT_RUNTIME, 'store/group-commit'));

/** Updates and deletions are answered before their commit. */
const { submit } = GroupCommit.prototype;
GroupCommit.prototype.submit = function (command) {
  if (command.action !== 'update' && command.action !== 'delete') return submit.call(this, command);
  setTimeout(() => submit.call(this, command).catch(() => undefined), 20);
  return Promise.resolve('done');
};
