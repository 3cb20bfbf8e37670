const { join } = require('node:path');
const { BatchWriter } = require(join(process.env.FAULT_RUNTIME, 'store/sqlite/writes/batch-writer'));

/** Once a commit has failed, all later ones do. */
const { applyBatch } = BatchWriter.prototype;
let failure;
BatchWriter.prototype.applyBatch = function (commands) {
  if (failure !== undefined) throw failure;
  try {
    return applyBatch.call(this, commands);
  } catch (error) {
    failure = error;
    throw error;
  }
};
