const { join } = require('node:path');
const { PostgresEventLog } = require(join(process.env.FAULT_RUNTIME, 'store/postgres/events/event-log'));

/** The position of an event that a server does not have is taken for one of its own. */
const { read } = PostgresEventLog.prototype;
PostgresEventLog.prototype.read = function (after, limit) {
  return read.call(this, after, limit).catch((error) => {
    if (error.name !== 'PositionGone') throw error;
    return [];
  });
};
