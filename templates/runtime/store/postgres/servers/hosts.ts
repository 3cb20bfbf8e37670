import { Client, type ClientConfig, types } from 'pg';
import { closest } from '../../../model/suggest';
import type { StoreSettings } from '../../database';
import { StoreRefused } from '../../store';

/** Maximum response times of the server. */
export type PostgresTimeouts = Pick<StoreSettings, 'connectTimeoutMs' | 'responseTimeoutMs'>;

/** The name of connections to the server, where neither the URL nor the environment has one. */
export const APPLICATION_NAME = 'svcgen';

const INT8: number = types.builtins.INT8;

/**
 * Returns the configuration of a connection to each host of a `postgres://` URL, such as
 * `postgres://user@a,b:5433/name`. Ids are integers that JavaScript represents exactly. Throws StoreRefused for an
 * invalid URL.
 */
export function clientConfigs(
  url: string,
  { connectTimeoutMs, responseTimeoutMs }: PostgresTimeouts,
): ClientConfig[] {
  return hostUrls(url).map((hostUrl) => {
    const connectionString = withKnownRoots(decodedName(hostUrl));
    refuseUnreadable(connectionString);
    return {
      connectionString,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: responseTimeoutMs,
      keepAlive: true,
      fallback_application_name: APPLICATION_NAME,
      types: {
        getTypeParser: ((oid: number, format?: 'text') =>
          oid === INT8
            ? Number
            : (types.getTypeParser(oid, format) as (text: string) => unknown)) as typeof types.getTypeParser,
      },
    };
  });
}

/** The parts of a URL: what is before the hosts, the hosts, the path and the parameters. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?/;

/** Decodes those characters of the name of the database that `pg` leaves encoded, though they may be there as they are. */
function decodedName(url: string): string {
  const [, start, hosts, path] = PARTS.exec(url) ?? [];
  if (start === undefined) return url;
  const name = path.replace(/%(?:2[46bcf]|3[abd]|40)/gi, decodeURIComponent);
  return `${start}${hosts}${name}${url.slice(start.length + hosts.length + path.length)}`;
}

/**
 * Returns a URL whose server is checked with the certificate authorities that Node knows, where it names those of the system, as
 * hosted databases do: `pg` would take `system` for a file. Throws StoreRefused, as libpq fails, where nothing would be checked.
 */
function withKnownRoots(url: string): string {
  const [before, query] = [url.replace(/\?.*/s, ''), url.slice(url.indexOf('?') + 1)];
  const parameters = new URLSearchParams(query);
  if (before === url || parameters.get('sslrootcert') !== 'system') return url;
  const mode = parameters.get('sslmode') ?? 'verify-full';
  if (mode !== 'verify-full') throw unusable(`with sslrootcert=system, sslmode is verify-full, not ${mode}`);
  parameters.delete('sslrootcert');
  parameters.set('sslmode', mode);
  return `${before}?${parameters.toString()}`;
}

/** Values of target_session_attrs that a primary has. */
const PRIMARIES = ['any', 'read-write', 'primary'];

/** Parameters that change whom the service connects to, and whether the connection is encrypted. */
const DECISIVE = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'target_session_attrs',
  'host',
  'port',
  'options',
];

/** Other parameters, of libpq, `pg` and further clients, whose names are similar. */
const SIMILAR = [
  'ssl',
  'sslaccept',
  'sslcertmode',
  'sslcrl',
  'sslcrldir',
  'sslsni',
  'hostaddr',
  'load_balance_hosts',
];

/**
 * Returns a URL for each host of a URL in the form of libpq: several are separated by commas, in front of the path or in
 * the parameters `host` and `port`. Throws StoreRefused.
 */
export function hostUrls(url: string): string[] {
  const [, start, hosts, path, query] = PARTS.exec(url) ?? [];
  if (start === undefined) return [url];
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) refuseMistyped(name);
  const wanted = parameters.get('target_session_attrs') ?? 'any';
  if (!PRIMARIES.includes(wanted))
    throw unusable(`a service writes, so target_session_attrs is read-write, not ${wanted}`);
  const named = hosts.split(',');
  if (named.length > 1) {
    if (named.some((host) => host === '')) throw unusable('there is a comma too many between its hosts');
    return named.map((host) => `${start}${host}${path}${query === undefined ? '' : `?${query}`}`);
  }
  const given = parameters.get('host')?.split(',') ?? [];
  if (given.length < 2) return [url];
  const ports = parameters.get('port')?.split(',') ?? [];
  if (ports.length > 1 && ports.length !== given.length)
    throw unusable(`it has ${given.length} hosts and ${ports.length} ports`);
  return given.map((host, index) => {
    parameters.set('host', host);
    if (ports.length > 0) parameters.set('port', ports[index] ?? ports[0]);
    return `${start}${hosts}${path}?${parameters.toString()}`;
  });
}

/** A parameter that `pg` does not know has no effect: with a mistyped `sslmode`, nothing would be encrypted. */
function refuseMistyped(name: string): void {
  if (DECISIVE.includes(name) || SIMILAR.includes(name)) return;
  const meant = closest(name, DECISIVE);
  if (meant !== undefined)
    throw unusable(`it has no parameter ${JSON.stringify(name)}; did you mean ${meant}?`);
}

/** A client is made only to find errors that `pg` has with a URL, before anything is sent. */
function refuseUnreadable(url: string): void {
  try {
    new Client(url);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const isNoUrl = error instanceof URIError || code === 'ERR_INVALID_URL';
    throw unusable(
      isNoUrl
        ? 'it is not a URL; a %, @, : or / in a user, a password or a name is written %25, %40, %3A or %2F'
        : message,
    );
  }
}

const unusable = (reason: string): StoreRefused => new StoreRefused(`DATABASE_URL cannot be used: ${reason}`);
