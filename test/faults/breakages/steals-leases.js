const { join } = require('node:path');
const { EVENT_SQL } = require(join(process.env.FAULT_RUNTIME, 'store/postgres/events/event-sql'));

/** The cursor of a consumer is claimed whoever holds it. */
EVENT_SQL.claim = EVENT_SQL.claim.replace(/WHERE cursors\.owner[^]*?(?=RETURNING)/, '');
