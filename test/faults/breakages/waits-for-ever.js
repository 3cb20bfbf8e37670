const { join } = require('node:path');
const servers = require(join(process.env.FAULT_RUNTIME, 'store/postgres/servers/servers'));

/** The longest time that a timer takes, in ms. */
const LONGEST = 2 ** 31 - 1;

/** A response is waited for however long it takes. */
servers.PostgresServers = class extends servers.PostgresServers {
  constructor(url, timeouts, options) {
    super(url, { ...timeouts, responseTimeoutMs: LONGEST }, options);
  }
};
