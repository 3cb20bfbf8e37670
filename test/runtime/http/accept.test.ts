import { acceptedVersion } from '../../../templates/runtime/http/headers/accept';

const VERSIONS = ['v1', 'v2beta1', 'v2'];
const BROWSER =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';

it.each<[string | undefined, string | undefined]>([
  // No version is named: never a failure.
  [undefined, 'v1'],
  ['', 'v1'],
  ['*/*', 'v1'],
  ['application/json', 'v1'],
  ['application/*;q=0.1', 'v1'],
  ['text/html', 'v1'],
  ['application/json;q=0', 'v1'],
  ['image/png, text/plain;q=0.5', 'v1'],
  ['application/json;v=v2', 'v1'],
  ['application/json;charset=utf-8', 'v1'],
  ['application/json;v=b3;q=0.7', 'v1'],
  [BROWSER, 'v1'],
  // One version.
  ['application/json;version=v2', 'v2'],
  ['application/json; version=v2beta1', 'v2beta1'],
  ['application/json ; version=v2', 'v2'],
  ['APPLICATION/JSON;VERSION=v2', 'v2'],
  ['application/json;version="v2"', 'v2'],
  ['application/json;version="v\\2"', 'v2'],
  ['application/json;version=example.svc.dev/v2', 'v2'],
  ['application/json;version="example.svc.dev/v2"', 'v2'],
  ['application/json; api-version=example.svc.dev/v2', 'v2'],
  ['application/json; api-version=v2', 'v2'],
  ['application/json;charset=utf-8;version=v2;q=0.1', 'v2'],
  ['application/json;q=0.1;version=v2', 'v2'],
  ['application/*;version=v2', 'v2'],
  ['*/*;version=v2', 'v2'],
  ['application/json;version=v1', 'v1'],
  // Not registered.
  ['application/json;version=v9', undefined],
  ['application/json;version=V2', undefined],
  ['application/json;version=2', undefined],
  ['application/json;version=""', undefined],
  ['application/json;version=other.group/v2', undefined],
  ['application/json;version=/v2', undefined],
  ['application/json;version=example.svc.dev/', undefined],
  ['application/json;version=example.svc.dev/v2/x', undefined],
  ['application/json;version=v9, text/html', undefined],
  ['application/json;version=constructor', undefined],
  // Several ranges.
  ['application/json;version=v9, application/json;version=v2', 'v2'],
  ['application/json;version=v2;q=0.5, application/json;version=v2beta1', 'v2beta1'],
  ['application/json;version=v2, application/json;version=v2beta1', 'v2'],
  ['application/json;version=v2beta1, application/json;version=v2', 'v2beta1'],
  ['application/json;version=v9, application/json', 'v1'],
  ['application/json;version=v9, */*;q=0.1', 'v1'],
  ['application/json, application/json;version=v2', 'v2'],
  ['*/*, application/json;version=v2', 'v2'],
  ['*/*;q=0.9, application/json;version=v2;q=0.9', 'v2'],
  ['application/json, application/json;version=v2;q=0.9', 'v1'],
  ['application/json;version=v2;q=0.9, text/html, */*;q=0.1', 'v2'],
  ['application/json;version=v2;q=0.5, application/json;q=0.4, */*', 'v2'],
  // The range that describes a version best gives its quality.
  ['application/json;version=v2;q=0.3, application/json;q=0.2, */*;q=0.9', 'v2'],
  // Refused with q=0.
  ['application/json;version=v2;q=0', undefined],
  ['application/json;version=v2;q=0, application/json', 'v1'],
  ['application/json;version=v1;q=0, application/json', 'v2beta1'],
  ['application/json;version=v1;q=0.000, application/json;version=v2;q=0.001', 'v2'],
  // Malformed ranges are passed over.
  ['application/json;version=v2;q=2', 'v1'],
  ['application/json;version=v2;q=-1', 'v1'],
  ['application/json;version=v2;q=0.1234', 'v1'],
  ['application/json;version=v2;q=abc', 'v1'],
  ['application/json;version=v2;q=', 'v1'],
  ['application/json;version', 'v1'],
  ['application/json;version=', 'v1'],
  ['application/json;version=v 2', 'v1'],
  ['application/json;version="v2', 'v1'],
  ['json;version=v2', 'v1'],
  ['application/;version=v2', 'v1'],
  [';version=v2', 'v1'],
  [',;=",', 'v1'],
  [',, application/json;version=v2 ,', 'v2'],
  ['application/json;q=2, application/json;version=v2', 'v2'],
  // Commas and semicolons within quotes separate nothing; a type that is not served says nothing.
  ['application/json;note="a, application/json;version=v2";version=v2beta1', 'v2beta1'],
  ['application/json;note="\\";version=v9, \\"";version=v2', 'v2'],
  ['text/html;version=v2', 'v1'],
  ['application/problem+json;version=v2', 'v1'],
  ['application/vnd.device+json;version=v2', 'v1'],
  ['constructor/prototype;version=v2', 'v1'],
])('%s is %s', (accept, want) => {
  expect(acceptedVersion(accept, 'example.svc.dev', VERSIONS)).toBe(want);
  expect(acceptedVersion(accept, 'example.svc.dev', VERSIONS)).toBe(want);
});

it('takes the first of two versions in one range', () => {
  expect(acceptedVersion('application/json;version=v2;api-version=v1', 'g', VERSIONS)).toBe('v2');
});

it('reads the same header for each group and kind on its own', () => {
  const header = 'application/json;version=other/v2';
  expect(acceptedVersion(header, 'other', ['v1', 'v2'])).toBe('v2');
  expect(acceptedVersion(header, 'other', ['v1'])).toBeUndefined();
  expect(acceptedVersion(header, 'group', ['v1', 'v2'])).toBeUndefined();
});

it('keeps up with many and with hostile headers', () => {
  for (let index = 0; index < 1_000; index++) {
    expect(acceptedVersion(`application/json;version=v2;n=${index}`, 'g', VERSIONS)).toBe('v2');
  }
  for (const piece of ['"\\', '\\"', '"', ',', ';', '*/*;a="', 'a/b;', 'application/json;version=v9,', '=']) {
    acceptedVersion(piece.repeat(16_000 / piece.length), 'g', VERSIONS);
    acceptedVersion(`application/json;version=${piece.repeat(16_000 / piece.length)}`, 'g', VERSIONS);
  }
  for (const value of ['a', '/', 'a/', '\\\\']) {
    acceptedVersion(`application/json;version=${value.repeat(16_000 / value.length)}[`, 'g', VERSIONS);
    acceptedVersion(`application/json;version="${value.repeat(16_000 / value.length)}`, 'g', VERSIONS);
  }
});
