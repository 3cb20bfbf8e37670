import { allKinds } from './routes';
import { checkData } from './runtime/data/check-data';
import { loadEnvironment } from './runtime/settings/environment-file';
import { service } from './service';

loadEnvironment();

const definitions = allKinds().map(({ kind }) => kind);
void checkData(service, definitions, process.argv.slice(2)).then((code) => (process.exitCode = code));
