import type { CtlDefinition } from './definition';

/** Returns the prefix of a service's variables: `device-service` has DEVICE_SERVICE_SERVER and DEVICE_SERVICE_TOKEN. */
export function environmentPrefix({ service }: Pick<CtlDefinition, 'service'>): string {
  return service
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '_')
    .replace(/^(?=\d)/, '_');
}

/** Variables of every service: the key of a header with such a name has another one. */
const VARIABLES = ['SERVER', 'TOKEN'];

/** Returns the variables that hold API keys, each with the header that carries it: DEVICE_SERVICE_X_API_KEY has X-API-Key. */
export function keyVariables(
  definition: Pick<CtlDefinition, 'service' | 'apiKeys'>,
): [variable: string, header: string][] {
  const prefix = environmentPrefix(definition);
  return (definition.apiKeys ?? []).map((header) => {
    const name = header.toUpperCase().replaceAll('-', '_');
    return [`${prefix}_${VARIABLES.includes(name) ? `${name}_KEY` : name}`, header];
  });
}
