import { readCommandLine } from '../../templates/ctl/command-line';

// Errors of the arguments of ctl.

const read = (...argv: string[]): unknown => readCommandLine(argv, { events: true, kinds: [] } as never);

test.each([
  [['get', 'devices', '--limit', '5'], "Unknown option '--limit'"],
  [['get', 'devices', '-z'], "Unknown option '-z'"],
  [['get', 'devices', '--output'], "Option '-o, --output <value>' argument missing"],
  [['apply', '-f', 'a.yaml', '--file=b.yaml'], '--file is given twice'],
  [['get', 'devices', '--dry-run'], '--dry-run is not an option of get'],
])('%j', (argv, message) => {
  expect(() => read(...argv)).toThrow(new Error(message));
});

test('options that lose nothing may be given twice', () => {
  expect(read('delete', 'devices', 'a', '--dry-run', '--dry-run', '-H', 'a: b', '-H', 'c: d')).toMatchObject({
    options: { 'dry-run': true, header: ['a: b', 'c: d'] },
  });
});
