import { matchesType } from '../../../templates/runtime/events/log/logged-event';
import { acceptedVersion } from '../../../templates/runtime/http/headers/accept';
import { evaluateConditions } from '../../../templates/runtime/http/headers/conditional';
import { parseHttpDate } from '../../../templates/runtime/http/headers/http-date';
import { listParameters, parseQuery, withoutParameter } from '../../../templates/runtime/http/request/query';
import { formats } from '../../../templates/runtime/model/rules/formats';
import { parseLabel, parseSelector } from '../../../templates/runtime/model/selectors/selector';
import { parseJsonPatch } from '../../../templates/runtime/patch/json-patch';
import { parseShorthand } from '../../../templates/runtime/patch/shorthand';
import { hunt } from '../../support/hunt';
import { PATCH_LIMITS } from '../patch/apply-patch';

// Every place where a string of a client meets a regular expression or a parser of the runtime.
const PARSERS: { [name: string]: [parts: string[], run: (text: string) => unknown] } = {
  'date-time': [['2024-01-01T00:00:00Z', '0', '.', 'T', 'Z', '+', ':', '-'], formats['date-time']],
  email: [['a', '.', '@', '-', 'a.', '.a', '@a.', 'a-', '!', ' '], formats.email],
  url: [['http://', 'a', '/', ':', '@', '.', '?', '#', '%', '[', '\\', ' ', 'xn--'], formats.url],
  ip: [['1', '.', ':', 'f', '::', '1.', '%'], formats.ip],
  'If-Modified-Since': [
    ['Sun, 06 Nov 1994 08:49:37 GMT', ' ', ',', '0', 'Sun', ':', '-'],
    (text) => parseHttpDate(text),
  ],
  'labels of a list': [
    ['a', '=', '!', ',', ' ', '(', ')', ' in ', ' notin ', '!=', 'a in (b,', '/', '.', '-'],
    parseSelector,
  ],
  'one label of a list': [['a', '=', '!', ' ', '/', '.', '-'], parseLabel],
  Accept: [
    ['application/json', ';', 'v=v1', ',', 'q=0.5', '"', '\\', '*/*', ' ', '=', 'a/b'],
    (text) => acceptedVersion(text, 'example.svc.dev', ['v1', 'v2']),
  ],
  'If-Match': [
    ['"', 'W/', 'a', ',', ' ', '*', '\\t'],
    (text) =>
      evaluateConditions(
        { method: 'GET', headers: { 'if-match': text, 'if-none-match': text }, headersDistinct: {} },
        { etag: '"b"', modifiedAt: () => 0 },
      ),
  ],
  query: [['a', '=', '&', '%', '%20', '+', '[', 'limit=1&'], parseQuery],
  'parameters of a list': [
    ['limit=', '1', '&', 'continue=', 'label=a', '%', '='],
    (text) => listParameters(text),
  ],
  'a query without a parameter': [
    ['limit=', '1', '&', 'a', '%', '='],
    (text) => withoutParameter(text, 'limit'),
  ],
  'a type of events': [['io.svc.', 'a', '*', '.'], (text) => matchesType(text, 'io.svc.*.a*.*created*b')],
  'a pattern of types': [
    ['io.svc.', 'a', '*', '.'],
    (text) => matchesType('io.svc.a.created'.repeat(10), text),
  ],
  'a path of a shorthand patch': [
    ['spec', '.', 'a', '[', ']', '[0]', '\\', '"', "'", '-', '0'],
    (text) => parseShorthand({ [text]: 1 }, PATCH_LIMITS)({ spec: {} }),
  ],
  'a pointer of a JSON Patch': [
    ['/spec', '/', '~', '~0', '~1', 'a', '0', '-'],
    (text) => parseJsonPatch([{ op: 'add', path: text, value: 1 }], PATCH_LIMITS)({ spec: {} }),
  ],
};

test.each(Object.entries(PARSERS))('no text takes more than linear time: %s', (_, [parts, run]) => {
  const { ms, attack } = hunt([...parts, '\n', '\u00a0', '\u{1f600}'], (text) => {
    try {
      run(text);
    } catch {
      // What is refused is refused soon.
    }
  });
  expect({ attack, isQuick: ms < 2_000 }).toMatchObject({ isQuick: true });
});
