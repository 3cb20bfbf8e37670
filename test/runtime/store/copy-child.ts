import { copyStore } from '../../../templates/runtime/store/copy/copy-store';

/** `npm run copy-store` with the arguments of the process. */
void copyStore(process.argv.slice(2)).then((code) => (process.exitCode = code));
