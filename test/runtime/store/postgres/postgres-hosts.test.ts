import { Client } from 'pg';
import { clientConfigs, hostUrls } from '../../../../templates/runtime/store/postgres/servers/hosts';

describe('the hosts of a DATABASE_URL', () => {
  test.each<[string, string[]]>([
    ['postgres://a/db', ['postgres://a/db']],
    ['postgres://u@/db?host=%2Frun', ['postgres://u@/db?host=%2Frun']],
    ['postgresql://u:p@a,b:5433/db', ['postgresql://u:p@a/db', 'postgresql://u:p@b:5433/db']],
    [
      'postgres://u:p%2C@[::1]:1,b/db?target_session_attrs=read-write&options=-c%20search_path%3Ds',
      [
        'postgres://u:p%2C@[::1]:1/db?target_session_attrs=read-write&options=-c%20search_path%3Ds',
        'postgres://u:p%2C@b/db?target_session_attrs=read-write&options=-c%20search_path%3Ds',
      ],
    ],
    ['postgres://u:p,q@a/db', ['postgres://u:p,q@a/db']],
    ['postgres:///db?host=a,b&port=1,2', ['postgres:///db?host=a&port=1', 'postgres:///db?host=b&port=2']],
    ['postgres:///db?host=a,b&port=1', ['postgres:///db?host=a&port=1', 'postgres:///db?host=b&port=1']],
    ['postgres:///db?host=%2Fa,%2Fb', ['postgres:///db?host=%2Fa', 'postgres:///db?host=%2Fb']],
    ...[
      'sslsni=1&sslcrl=x&sslcertmode=allow&hostaddr=::1&load_balance_hosts=random&ssl=true',
      'pgbouncer=true&schema=public&pool_timeout=1&socket_timeout=1&connection_limit=5&sslaccept=strict',
      'channel_binding=require&application_name=a&keepalives=1&uselibpqcompat=true&sslnegotiation=direct',
    ].map((query): [string, string[]] => [`postgres://a/db?${query}`, [`postgres://a/db?${query}`]]),
  ])('%s', (url, urls) => expect(hostUrls(url)).toEqual(urls));

  test.each([
    ['postgres://a,,b/db', 'there is a comma too many between its hosts'],
    ['postgres:///db?host=a,b,c&port=1,2', 'it has 3 hosts and 2 ports'],
    [
      'postgres://a,b/db?target_session_attrs=standby',
      'a service writes, so target_session_attrs is read-write, not standby',
    ],
    ['postgres://a/db?sslmod=verify-full', 'it has no parameter "sslmod"; did you mean sslmode?'],
    ['postgres://a/db?ssl_mode=verify-full', 'it has no parameter "ssl_mode"; did you mean sslmode?'],
    ['postgres://a/db?SSLMode=verify-full', 'it has no parameter "SSLMode"; did you mean sslmode?'],
    [
      'postgres://a/db?sslmode=require&sslrootcrt=x',
      'it has no parameter "sslrootcrt"; did you mean sslrootcert?',
    ],
    [
      'postgres://a,b/db?target_session_attr=primary',
      'it has no parameter "target_session_attr"; did you mean target_session_attrs?',
    ],
  ])('%s is refused', (url, reason) =>
    expect(() => hostUrls(url)).toThrow(`DATABASE_URL cannot be used: ${reason}`),
  );
});

describe('sslrootcert=system', () => {
  const TIMEOUTS = { connectTimeoutMs: 1, responseTimeoutMs: 1 };

  test.each([
    ['postgres://a/db?sslmode=verify-full&sslrootcert=system', ['postgres://a/db?sslmode=verify-full']],
    ['postgres://a/db?sslrootcert=system', ['postgres://a/db?sslmode=verify-full']],
    [
      'postgres://a,b/db?sslrootcert=system&options=-c%20a%3Db&sslmode=verify-full',
      ['a', 'b'].map((host) => `postgres://${host}/db?options=-c+a%3Db&sslmode=verify-full`),
    ],
  ])('means the authorities that Node knows: %s', (url, urls) => {
    const configs = clientConfigs(url, TIMEOUTS);
    expect(configs.map(({ connectionString }) => connectionString)).toEqual(urls);
    for (const config of configs) {
      const { ssl, connectionParameters } = new Client(config) as Client & {
        connectionParameters: { options?: string };
      };
      expect(ssl).toEqual({});
      if (url.includes('options')) expect(connectionParameters.options).toBe('-c a=b');
    }
  });

  test.each(['require', 'no-verify', 'disable'])('is refused with sslmode=%s', (mode) =>
    expect(() => clientConfigs(`postgres://a/db?sslmode=${mode}&sslrootcert=system`, TIMEOUTS)).toThrow(
      `DATABASE_URL cannot be used: with sslrootcert=system, sslmode is verify-full, not ${mode}`,
    ),
  );
});
