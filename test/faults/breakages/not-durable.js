const { Client } = require('pg');

/** The sessions of the service commit as fast as PostgreSQL can, and not durably. */
const { query } = Client.prototype;
Client.prototype.query = function (first, ...more) {
  const durable = /SELECT set_config\('synchronous_commit'[^;]*/;
  const sent =
    typeof first === 'string' ? first.replace(durable, 'SET LOCAL synchronous_commit = off') : first;
  return query.call(this, sent, ...more);
};
