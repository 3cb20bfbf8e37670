const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)';

/** The three forms of RFC 9110 §5.6.7: IMF-fixdate, and the two obsolete ones. */
const FORMS = [
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(
    `^(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday), (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT$`,
  ),
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} (?<day>\\d\\d| \\d) ${TIME} (?<year>\\d{4})$`),
];

/** Formats an instant, in milliseconds since 1970, as an HTTP-date. Fractions of a second are cut off. */
export function formatHttpDate(milliseconds: number): string {
  // ECMAScript defines toUTCString in the very form of IMF-fixdate.
  return new Date(milliseconds).toUTCString();
}

/**
 * Parses an HTTP-date. Returns whole seconds since 1970, or undefined for any other string. The name of the day is not
 * checked. A year of two digits lies at most 50 years ahead of `now`, in milliseconds.
 */
export function parseHttpDate(text: string, now = Date.now()): number | undefined {
  const fields = FORMS.map((form) => form.exec(text)).find((match) => match !== null)?.groups;
  if (fields === undefined) return undefined;
  const [day, hour, minute, second] = [fields.day, fields.hour, fields.minute, fields.second].map(Number);
  const month = MONTHS.indexOf(fields.month);
  const year = fields.year.length === 2 ? fullYear(Number(fields.year), now) : Number(fields.year);
  // 60 is a leap second.
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  if (date.getUTCMonth() !== month || date.getUTCDate() !== day) return undefined;
  return date.setUTCHours(hour, minute, second) / 1000;
}

function fullYear(twoDigits: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + twoDigits;
  return year > thisYear + 50 ? year - 100 : year;
}
