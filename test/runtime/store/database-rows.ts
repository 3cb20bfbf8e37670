import { Client } from 'pg';
import { connect } from '../../../templates/runtime/store/sqlite/connection/driver';

/** The rows of a database by table, as JSON texts in a fixed order. */
export interface DatabaseRows {
  [table: string]: string[];
}

/** Tables in which a service writes besides what requests ask for: that a database can be written, and leases. */
const OWN = ['probe', 'cursors'];

/** Reads all rows of the database that a URL names, on a connection of its own. */
export async function rowsOf(url: string): Promise<DatabaseRows> {
  const rows = url.startsWith('sqlite:') ? sqliteRows(url.slice('sqlite:'.length)) : await postgresRows(url);
  return Object.fromEntries(Object.entries(rows).filter(([table]) => !OWN.includes(table)));
}

function sqliteRows(path: string): DatabaseRows {
  const connection = connect(path, true);
  try {
    const tables = connection
      .prepare<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .all();
    return Object.fromEntries(
      tables.map(({ name }) => [
        name,
        connection
          .prepare(`SELECT * FROM "${name}"`)
          .all()
          .map((row) => JSON.stringify(row))
          .sort(),
      ]),
    );
  } finally {
    connection.close();
  }
}

async function postgresRows(url: string): Promise<DatabaseRows> {
  const client = new Client(url);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      'SELECT tablename::text AS name FROM pg_tables WHERE schemaname = current_schema ORDER BY 1',
    );
    const entries: [string, string[]][] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`);
      entries.push([name, rows.map(({ row }) => row).sort()]);
    }
    return Object.fromEntries(entries);
  } finally {
    await client.end();
  }
}
