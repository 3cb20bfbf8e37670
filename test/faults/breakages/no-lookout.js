const { join } = require('node:path');
const { PostgresServers } = require(join(process.env.FAULT_RUNTIME, 'store/postgres/servers/servers'));

/** No other primary is looked for while a server is silent. */
PostgresServers.prototype.watch = () => () => undefined;
