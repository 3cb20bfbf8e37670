import { readSetting } from '../http/security/certificate';
import type { CoreDefinition } from '../service/core-definition';
import { readSettings } from '../settings/settings';
import { ROOT } from './face/face';

const USAGE = 'usage: npm run --silent kubeconfig [-- <URL of the service>]';

/**
 * Prints a kubeconfig of the service to standard output: of the URL in the arguments, or else of the port on this machine.
 * It has the token of the environment variable TOKEN, and trusts the certificate of TLS_CERT. The exit code is 2 for
 * wrong arguments and settings.
 */
export function printKubeconfig(
  definition: Pick<CoreDefinition, 'name'>,
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
): number {
  try {
    process.stdout.write(kubeconfig(definition.name, argv, environment));
    return 0;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 2;
  }
}

/** Returns the text of a kubeconfig. Throws an Error for wrong arguments and settings. */
export function kubeconfig(name: string, argv: readonly string[], environment: NodeJS.ProcessEnv): string {
  const { PORT, TLS_CERT } = readSettings(environment);
  const [given = `${TLS_CERT === '' ? 'http' : 'https'}://localhost:${PORT}`, ...others] = argv;
  if (others.length > 0 || !/^https?:\/\/[^/]/.test(given)) throw new Error(USAGE);
  const server = `${given.replace(/\/+$/, '')}/${ROOT}`;
  const { TOKEN: token = '' } = environment;
  // A service may be called true or 1.
  const text = JSON.stringify(name);
  const lines = [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    `- name: ${text}`,
    '  cluster:',
    `    server: ${JSON.stringify(server)}`,
    ...(TLS_CERT === ''
      ? []
      : [`    certificate-authority-data: ${readSetting('TLS_CERT', TLS_CERT).toString('base64')}`]),
    'users:',
    `- name: ${text}`,
    `  user: ${token === '' ? '{}' : `{ token: ${JSON.stringify(token)} }`}`,
    'contexts:',
    `- name: ${text}`,
    `  context: { cluster: ${text}, user: ${text} }`,
    `current-context: ${text}`,
  ];
  return `${lines.join('\n')}\n`;
}
