import { judge } from '../../../templates/runtime/validation/admission';

// The length of the header Warning, where validation is not strict.

const failures = Array.from({ length: 200 }, (_, index) => ({
  pointer: `/spec/config/key-${index}`,
  rule: 'type',
  detail: `key-${index} must be a string, which this text says at some length`,
}));

const judged = (warnings: string[]): void => judge({ validation: 'warn' }, failures, warnings);

test('the failures of the requested and of the storage version share 8 KiB', () => {
  const warnings: string[] = [];
  judged(warnings);
  const first = warnings.length;
  expect(first).toBeGreaterThan(50);
  judged(warnings);
  expect(warnings).toHaveLength(first);
  expect(warnings.join(', ').length).toBeLessThanOrEqual(8_192);
});

test('warnings of the query count too', () => {
  const warnings = ['x'.repeat(8_000)];
  judged(warnings);
  expect(warnings.join(', ').length).toBeLessThanOrEqual(8_192);
  expect(warnings.length).toBeGreaterThan(1);
});
