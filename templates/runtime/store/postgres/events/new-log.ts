import type { Client } from 'pg';
import { NOBODY } from '../../store';

/** Waits for the writes under way: they would leave events before the mark, which nobody could read or remove. */
const LOCK = 'LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE';

const MARK = `UPDATE event_mark SET transaction = pg_current_xact_id(),
  position = nextval(pg_get_serial_sequence('events', 'position'))`;

/**
 * Begins a new log if a service without events has used the database meanwhile. Earlier positions become invalid, since
 * the log lacks changes after them.
 */
export async function beginAnew(client: Client): Promise<void> {
  const { rowCount } = await client.query('DELETE FROM cursors WHERE consumer = $1', [NOBODY]);
  if (rowCount === 0) return;
  await client.query(LOCK);
  await client.query('DELETE FROM events');
  await client.query(MARK);
}
