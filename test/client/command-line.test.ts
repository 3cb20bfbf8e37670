import { readCommandLine } from '../../templates/ctl/command-line';

// Errors of the arguments of ctl.

const read = (...argv: string[]): unknown => readCommandLine(argv, { events: true, kinds: [] } as never);

test.each([
  [['get', 'devices', '--limit', '5'], "Unknown option '--limit'"],
  [['get', 'devices', '-z'], "Unknown option '-z'"],
  [['get', 'devices', '--output'], "Option '-o, --output <value>' argument missing"],
  [['get', 'devices', '--dry-run'], '--dry-run is not an option of get'],
])('%j', (argv, message) => {
  expect(() => read(...argv)).toThrow(new Error(message));
});
