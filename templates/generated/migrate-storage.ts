import { existsSync } from 'node:fs';
import { kinds } from './routes';
import { migrateStorage } from './runtime/migrate-storage';
import { service } from './service';

if (existsSync('.env')) process.loadEnvFile('.env');

const definitions = kinds.map(({ kind }) => kind);
void migrateStorage(service, definitions, process.argv.slice(2)).then((code) => (process.exitCode = code));
