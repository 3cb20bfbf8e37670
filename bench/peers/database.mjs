import Database from 'better-sqlite3';

/** Opens the database of the hand-written services: durable commits, labels that can be searched. */
export function openDatabase(path) {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(`
    CREATE TABLE IF NOT EXISTS devices (
      id INTEGER PRIMARY KEY,
      uid TEXT NOT NULL UNIQUE,
      version INTEGER NOT NULL,
      name TEXT NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      labels TEXT NOT NULL,
      spec TEXT NOT NULL,
      status TEXT NOT NULL
    );
    CREATE TABLE IF NOT EXISTS device_labels (
      device INTEGER NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (device, key)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS device_labels_by_value ON device_labels (key, value, device);
  `);
  return database;
}
