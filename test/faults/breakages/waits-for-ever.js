const { join } = require('node:path');
const connections = require(join(process.env.FAULT_RUNTIME, 'store/postgres-connections'));

/** A query is waited for however long it takes. */
const { clientConfig } = connections;
connections.clientConfig = (url, timeouts) => clientConfig(url, { ...timeouts, answerTimeoutMs: 0 });
