const { join } = require('node:path');
const hosts = require(join(process.env.FAULT_RUNTIME, 'store/postgres/servers/hosts'));

/** A query is waited for however long it takes. */
const { clientConfigs } = hosts;
hosts.clientConfigs = (url, timeouts) => clientConfigs(url, { ...timeouts, responseTimeoutMs: 0 });
