import { CANCEL_SYMBOL, confirm, isCancel, select, text } from '@clack/prompts';
import { type InitOptions, nameOf, versionList } from './init-options';
import type { ValidationMode } from '../model';
import { compareVersions, GROUP_NAME, PROJECT_NAME, VERSION_NAME } from '../names';
import { refuse } from './refusal';
import { DEFAULT_GROUP } from '../edit/project-text';

const output = process.stderr;

const MODES: { value: ValidationMode; label: string }[] = [
  { value: 'strict', label: 'strict: a request that breaks a rule is answered 400' },
  { value: 'warn', label: 'warn: it is stored, with a Warning header' },
  { value: 'disabled', label: 'disabled: rules are not looked at' },
];

/** Asks on the terminal for what the flags of `svcgen init` leave out. Throws ProjectError when the user gives up. */
export async function ask(folder: string, options: InitOptions): Promise<InitOptions> {
  const name = await answer(options.name, () => line('Name of the service', nameOf(folder), isName));
  const group = await answer(options.group, () => line('API group', DEFAULT_GROUP, isGroup));
  const versions = await answer(options.versions, () =>
    line('API versions, with commas between them', 'v1', areVersions),
  );
  const storageVersion = await answer(options.storageVersion, () =>
    storage(versionList(versions).sort(compareVersions)),
  );
  const validation = await answer(options.validation, () =>
    select({ message: 'Validation', options: MODES, initialValue: MODES[0]!.value, output }),
  );
  const events = await answer(options.events, () =>
    confirm({ message: 'Publish CloudEvents?', initialValue: false, output }),
  );
  return { ...options, name, group, versions, storageVersion, validation, events };
}

async function answer<T>(
  given: T | undefined,
  question: () => Promise<T | typeof CANCEL_SYMBOL>,
): Promise<T> {
  if (given !== undefined) return given;
  const answered = await question();
  return isCancel(answered) ? refuse('cancelled; nothing was written') : (answered as T);
}

function line(
  message: string,
  initialValue: string,
  isValid: (value: string) => boolean,
): Promise<string | typeof CANCEL_SYMBOL> {
  const validate = (value = '') => (isValid(value) ? undefined : `such as ${initialValue}`);
  return text({ message, initialValue, validate, output });
}

async function storage(versions: string[]): Promise<string | typeof CANCEL_SYMBOL> {
  if (versions.length === 1) return versions[0]!;
  const choices = versions.map((value) => ({ value, label: value }));
  return select({ message: 'Storage version', options: choices, initialValue: versions[0]!, output });
}

const isName = (value: string) => PROJECT_NAME.test(value);
const isGroup = (value: string) => GROUP_NAME.test(value);
const areVersions = (value: string) =>
  versionList(value).length > 0 && versionList(value).every((version) => VERSION_NAME.test(version));
