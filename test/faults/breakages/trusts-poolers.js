const { join } = require('node:path');
const identity = require(join(process.env.FAULT_RUNTIME, 'store/postgres/servers/identity'));

/** The server behind a pooler is taken for that which was there when a connection was made. */
identity.onlyOn = () => '';
