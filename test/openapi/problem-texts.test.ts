import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProblemName, PROBLEMS } from '../../src/openapi/problems';

const ROOT = join(__dirname, '../..');
const RUNTIME = join(ROOT, 'templates/runtime');
const sources = readdirSync(RUNTIME, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join(RUNTIME, path), 'utf8'));

/** The problems whose detail is the same in every response. */
const CONSTANT: ProblemName[] = [
  'StatusForbidden',
  'NotFound',
  'Gone',
  'PreconditionFailed',
  'KeyReused',
  'PreconditionRequired',
  'ServerError',
  'Unavailable',
  'Refused',
];

const isInRuntime = (text: string): boolean => sources.some((source) => source.includes(text));

test.each(CONSTANT)('%s: the example is what the service responds', (name) => {
  expect(isInRuntime(`'${PROBLEMS[name].detail}'`)).toBe(true);
});

test('Conflict: the example is what the service responds for another resource of this kind', () => {
  const [, text] = /^Conflict: spec\.\w+ (.*) Part$/.exec(PROBLEMS.Conflict.detail)!;
  expect(isInRuntime(`\`${text} \${kind.kind}\``)).toBe(true);
});

test.each(['README.md', 'docs/tutorial.md'])(
  'the failed condition that %s shows is that of the service',
  (page) => {
    const shown = readFileSync(join(ROOT, page), 'utf8').match(/"status":412,"detail":"[^"]*"/g)!;
    expect(shown.length).toBeGreaterThan(0);
    for (const each of shown)
      expect(each).toBe(`"status":412,"detail":"${PROBLEMS.PreconditionFailed.detail}"`);
  },
);
