const { join } = require('node:path');
const errors = require(join(process.env.FAULT_RUNTIME, 'store/postgres/servers/errors'));
const { Client } = require('pg');

/** A connection that was lost is used on. */
errors.isConnectionLoss = () => false;
const { on } = Client.prototype;
Client.prototype.on = function (event, listener) {
  return on.call(this, event, event === 'error' || event === 'end' ? () => undefined : listener);
};
