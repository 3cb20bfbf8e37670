import { copyStore } from './runtime/store/copy/copy-store';

void copyStore(process.argv.slice(2)).then((code) => (process.exitCode = code));
