import { printable } from '../../templates/ctl/output';
import { eventLine } from '../../templates/ctl/watch';

test.each([
  ['a\u001b[31m', 'a\\u001b[31m'],
  ['\u2028', '\\u2028'],
  ['\u{e0041}\u{e0042}', '\\u{e0041}\\u{e0042}'],
  ['größe 😀', 'größe 😀'],
])('%j is printed without control characters', (text, want) => {
  expect(printable(text)).toBe(want);
});

test.each([
  [{ phase: 'Ready', ready: true }, '  Ready  ready=true'],
  [{ phase: { step: 2 } }, '  {"step":2}'],
  [{ ready: 'soon' }, '  ready="soon"'],
  [undefined, ''],
])('the line of an event with the status %j', (status, want) => {
  const metadata = { updatedAt: '2026-01-02T03:04:05.000Z' };
  const data = { action: 'created', resourceKind: 'Lamp', resourceUID: 'lam-1', resourceName: 'l', metadata };
  const event = { time: metadata.updatedAt, data: { ...data, resource: { status } } };
  expect(eventLine(event as never)).toBe(`${metadata.updatedAt}  created  Lamp  lam-1  l${want}\n`);
});
