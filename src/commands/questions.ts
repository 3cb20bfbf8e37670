import { CANCEL_SYMBOL, confirm, isCancel, select, text } from '@clack/prompts';
import type { UnacknowledgedChanges } from '../lock/acknowledgement';
import {
  compareVersions,
  DEFAULT_GROUP,
  DEFAULT_VERSION,
  GROUP_NAME,
  PROJECT_NAME,
  VERSION_NAME,
  versionList,
} from '../model/names';
import { Cancelled } from '../model/problem';
import type { ValidationMode } from '../model/project';
import type { Io } from '../terminal/io';
import { type InitOptions, nameOf } from './init-options';

const MODES: { value: ValidationMode; label: string }[] = [
  { value: 'strict', label: 'strict: a request that breaks a rule returns 400' },
  { value: 'warn', label: 'warn: the request is stored, with a Warning header' },
  { value: 'disabled', label: 'disabled: rules are not checked' },
];

/** The streams of a question. */
type Streams = Pick<Parameters<typeof confirm>[0], 'input' | 'output' | 'signal'>;

/** Asks on the terminal for what the flags of `svcgen init` leave out. Throws Cancelled when the user gives up. */
export async function ask(folder: string, options: InitOptions, io: Io): Promise<InitOptions> {
  const streams = { input: io.stdin, output: io.stderr };
  const name = await answer(options.name, () => line('Name of the service', nameOf(folder), isName, streams));
  const group = await answer(options.group, () => line('API group', DEFAULT_GROUP, isGroup, streams));
  const versions = await answer(options.versions, () =>
    line('API versions, separated by commas', DEFAULT_VERSION, areVersions, streams),
  );
  const storageVersion = await answer(options.storageVersion, () =>
    storage(versionList(versions).sort(compareVersions), streams),
  );
  const validation = await answer(options.validation, () =>
    select({ message: 'Validation', options: MODES, initialValue: MODES[0].value, ...streams }),
  );
  const events = await answer(options.events, () =>
    confirm({ message: 'Publish CloudEvents?', initialValue: false, ...streams }),
  );
  return { ...options, name, group, versions, storageVersion, validation, events };
}

/**
 * Asks whether changes of stable versions, which are shown already, are acknowledged. Throws Cancelled when the user gives
 * up, and when `signal` ends the question.
 */
export async function askForAcknowledgement(
  { problems, breaking }: UnacknowledgedChanges,
  io: Io,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const compatible = problems.length - breaking;
  const counts = [breaking && `${breaking} breaking`, compatible && `${compatible} compatible`].filter(
    Boolean,
  );
  const message = `Acknowledge ${counts.join(' and ')} change${problems.length === 1 ? '' : 's'} to stable versions?`;
  const question = confirm({
    message,
    initialValue: breaking === 0,
    input: io.stdin,
    output: io.stderr,
    signal,
  });
  return answer(undefined, () => question);
}

async function answer<T>(
  given: T | undefined,
  question: () => Promise<T | typeof CANCEL_SYMBOL>,
): Promise<T> {
  if (given !== undefined) return given;
  const answered = await question();
  if (isCancel(answered)) throw new Cancelled();
  return answered;
}

function line(
  message: string,
  initialValue: string,
  isValid: (value: string) => boolean,
  streams: Streams,
): Promise<string | typeof CANCEL_SYMBOL> {
  const validate = (value = '') => (isValid(value) ? undefined : `such as ${initialValue}`);
  return text({ message, initialValue, validate, ...streams });
}

async function storage(versions: string[], streams: Streams): Promise<string | typeof CANCEL_SYMBOL> {
  if (versions.length === 1) return versions[0];
  const choices = versions.map((value) => ({ value, label: value }));
  return select({ message: 'Storage version', options: choices, initialValue: versions[0], ...streams });
}

const isName = (value: string) => PROJECT_NAME.test(value);
const isGroup = (value: string) => GROUP_NAME.test(value);
const areVersions = (value: string) =>
  versionList(value).length > 0 && versionList(value).every((version) => VERSION_NAME.test(version));
