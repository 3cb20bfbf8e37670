import { allKinds } from './routes';
import { migrateStorage } from './runtime/versions/migrate-storage';
import { loadEnvironment } from './runtime/settings/environment-file';
import { service } from './service';

loadEnvironment();

const definitions = allKinds().map(({ kind }) => kind);
void migrateStorage(service, definitions, process.argv.slice(2)).then((code) => (process.exitCode = code));
