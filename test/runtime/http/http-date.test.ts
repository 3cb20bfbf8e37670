import fc from 'fast-check';
import { formatHttpDate, parseHttpDate } from '../../../templates/runtime/http/headers/http-date';

const EXAMPLE = Date.UTC(1994, 10, 6, 8, 49, 37) / 1000;

describe('reading', () => {
  it.each<[string, number | undefined]>([
    ['Sun, 06 Nov 1994 08:49:37 GMT', EXAMPLE],
    ['Sunday, 06-Nov-94 08:49:37 GMT', EXAMPLE],
    ['Sun Nov  6 08:49:37 1994', EXAMPLE],
    ['Sun Nov 16 08:49:37 1994', EXAMPLE + 10 * 86_400],
    ['Thu, 29 Feb 2024 00:00:00 GMT', Date.UTC(2024, 1, 29) / 1000],
    ['Sat, 31 Dec 2016 23:59:60 GMT', Date.UTC(2017, 0, 1) / 1000],
    ['Sat, 01 Jan 0050 00:00:00 GMT', new Date('0050-01-01T00:00:00Z').getTime() / 1000],
    ['Fri, 30 Feb 2024 00:00:00 GMT', undefined],
    ['Wed, 29 Feb 2023 00:00:00 GMT', undefined],
    ['Sun, 00 Nov 1994 08:49:37 GMT', undefined],
    ['Sun, 06 Nov 1994 24:00:00 GMT', undefined],
    ['Sun, 06 Nov 1994 08:60:00 GMT', undefined],
    ['Sun, 06 Nov 1994 08:49:61 GMT', undefined],
    ['Sun, 6 Nov 1994 08:49:37 GMT', undefined],
    ['Sun, 06 Nov 94 08:49:37 GMT', undefined],
    ['Sun, 06 Nov 1994 08:49:37 UTC', undefined],
    ['Sun, 06 Nov 1994 08:49:37 +0000', undefined],
    ['sun, 06 nov 1994 08:49:37 gmt', undefined],
    ['Sun, 06 Nov 1994 08:49 GMT', undefined],
    ['Sun, 06 Nov 1994 08:49:37 GMT ', undefined],
    ['Sun,  06 Nov 1994 08:49:37 GMT', undefined],
    ['Sun, 06 Xyz 1994 08:49:37 GMT', undefined],
    ['Sun Nov 6 08:49:37 1994', undefined],
    ['1994-11-06T08:49:37Z', undefined],
    ['784111777', undefined],
    ['0', undefined],
    ['', undefined],
  ])('%j', (text, want) => {
    expect(parseHttpDate(text)).toBe(want);
  });

  it('takes years of two digits for at most 50 years ahead', () => {
    const year = (twoDigits: string): number =>
      new Date(
        parseHttpDate(`Monday, 01-Jan-${twoDigits} 00:00:00 GMT`, Date.UTC(2026, 0, 1))! * 1000,
      ).getUTCFullYear();
    expect(['26', '76', '77', '99', '00'].map(year)).toEqual([2026, 2076, 1977, 1999, 2000]);
  });
});

describe('writing', () => {
  it.each<[number, string]>([
    [0, 'Thu, 01 Jan 1970 00:00:00 GMT'],
    [EXAMPLE * 1000 + 999, 'Sun, 06 Nov 1994 08:49:37 GMT'],
    [Date.UTC(2024, 1, 29, 23, 59, 59, 1), 'Thu, 29 Feb 2024 23:59:59 GMT'],
  ])('%d', (milliseconds, want) => {
    expect(formatHttpDate(milliseconds)).toBe(want);
    expect(formatHttpDate(milliseconds)).toBe(want);
  });

  it('reads what it wrote', () => {
    const instant = fc.integer({ min: 0, max: 253_402_300_799_999 });
    fc.assert(
      fc.property(instant, (ms) => parseHttpDate(formatHttpDate(ms)) === Math.floor(ms / 1000)),
      {
        numRuns: 2_000,
      },
    );
  });
});
