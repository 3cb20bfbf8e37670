const { Client } = require('pg');

/** The sessions of the service commit as fast as PostgreSQL can, and not durably. */
const { query } = Client.prototype;
Client.prototype.query = function (first, ...more) {
  const isDurable = typeof first === 'string' && first.includes('synchronous_commit');
  return query.call(this, isDurable ? 'SET synchronous_commit = off' : first, ...more);
};
