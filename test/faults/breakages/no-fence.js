const { join } = require('node:path');
const { Fence } = require(join(process.env.FAULT_RUNTIME, 'store/postgres/servers/fence'));

/** A primary that was replaced is written to again. */
Fence.prototype.refuse = () => undefined;
