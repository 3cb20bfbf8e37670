import '../../../templates/runtime/data/settings';
import '../../../templates/runtime/events/log/event-settings';
import { readSettings, SETTINGS } from '../../../templates/runtime/settings/settings';

type Environment = { [name: string]: string };

test('without an environment every setting has its fallback', () => {
  const settings = readSettings({});
  expect(settings).toMatchObject({
    HOST: '',
    PORT: 8080,
    MAX_BODY_BYTES: 1_048_576,
    LOG_REQUESTS: false,
  });
  expect(Object.keys(settings)).toEqual(Object.keys(SETTINGS));
});

test('idle connections outlive those of proxies, of which Caddy has them for two minutes', () => {
  expect(readSettings({}).KEEP_ALIVE_TIMEOUT_MS).toBeGreaterThan(120_000);
});

test.each<[Environment, object]>([
  [{ PORT: '0' }, { PORT: 0 }],
  [{ PORT: '' }, { PORT: 8080 }],
  [{ HOST: '::' }, { HOST: '::' }],
  [{ LOG_LEVEL: 'silent' }, { LOG_LEVEL: 'silent' }],
  [{ LOG_REQUESTS: 'true' }, { LOG_REQUESTS: true }],
  [{ MAX_DEPTH: '0100' }, { MAX_DEPTH: 100 }],
  [{ SHUTDOWN_TIMEOUT_MS: '0' }, { SHUTDOWN_TIMEOUT_MS: 0 }],
  [{ EVENTS_KEEP: '999999999999999' }, { EVENTS_KEEP: 999_999_999_999_999 }],
  [{ NATS_STREAM: 'Größe-1_a' }, { NATS_STREAM: 'Größe-1_a' }],
  [{ UNKNOWN: 'x' }, {}],
])('%j gives %j', (environment, want) => {
  expect(readSettings(environment)).toEqual({ ...readSettings({}), ...want });
});

test.each<[Environment, string[]]>([
  [{ PORT: '65536' }, ['PORT=65536: expected an integer from 0 to 65535']],
  [{ PORT: '-1' }, ['PORT=-1: expected']],
  [{ PORT: '80.5' }, ['PORT=80.5: expected']],
  [{ PORT: '0x50' }, ['PORT=0x50: expected']],
  [{ PORT: ' 80' }, ['PORT= 80: expected']],
  [{ PORT: '1e3' }, ['PORT=1e3: expected']],
  [{ MAX_BODY_BYTES: '0' }, ['MAX_BODY_BYTES=0: expected an integer from 1']],
  [
    { EVENTS_KEEP: '9007199254740991' },
    ['EVENTS_KEEP=9007199254740991: expected an integer from 0 to 999999999999999'],
  ],
  [
    { NATS_STREAM: 'a.b' },
    ['NATS_STREAM=a.b: expected a name of at most 255 characters without spaces, "."'],
  ],
  [{ NATS_STREAM: 'a b' }, ['NATS_STREAM=a b: expected']],
  [{ LOG_LEVEL: 'loud' }, ['LOG_LEVEL=loud: expected one of fatal,']],
  [{ LOG_LEVEL: 'constructor' }, ['LOG_LEVEL=constructor: expected']],
  [{ LOG_REQUESTS: 'yes' }, ['LOG_REQUESTS=yes: expected true or false']],
  [{ PORT: 'x', LOG_LEVEL: 'y', MAX_DEPTH: 'z' }, ['PORT=x', 'LOG_LEVEL=y', 'MAX_DEPTH=z']],
])('%j is refused, all of it at once', (environment, messages) => {
  for (const message of messages) expect(() => readSettings(environment)).toThrow(message);
});
