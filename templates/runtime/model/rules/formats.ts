import { isIP } from 'node:net';

/** Checks of the formats of field rules (specification, "Kind-specific spec and status"). Each takes linear time. */
export const formats = { 'date-time': isTimestamp, email: isEmail, url: isUrl, ip: isIp };

const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|([+-])(\d\d):(\d\d))$/i;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Accepts a date and time of RFC 3339, section 5.6, that exists; a leap second only where UTC can have one. */
function isTimestamp(text: string): boolean {
  const parts = TIMESTAMP.exec(text);
  if (parts === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [sign, offsetHour, offsetMinute] = [parts[7], Number(parts[8] ?? 0), Number(parts[9] ?? 0)];
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return false;
  if (hour > 23 || minute > 59 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second <= 59) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (sign === '-' ? -1 : 1);
  const utc = (hour * 60 + minute - offset + 2 * 1440) % 1440;
  return second === 60 && utc === 1439;
}

function daysOf(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : DAYS[month - 1];
}

const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const DOMAIN_LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/**
 * Accepts a mailbox of RFC 5321, section 4.1.2, with a dot-string before the @ and a domain of several labels after it.
 */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || at > 64 || text.length > 254) return false;
  const labels = text.slice(at + 1).split('.');
  return (
    LOCAL_PART.test(text.slice(0, at)) &&
    labels.length > 1 &&
    labels.every((label) => DOMAIN_LABEL.test(label))
  );
}

/** The scheme of a URL, and its host and port. */
const SCHEME_AND_HOST = /^[a-z][a-z\d+.-]*:\/{2,}(?:[^/?#]*@)?([^/?#]*)/i;
/** The length of the longest name of a host (RFC 1035, section 2.3.4) with a port. */
const LONGEST_HOST = 259;

/**
 * Accepts an absolute URL with a scheme and a host (WHATWG URL), written without white space and backslashes. A long host
 * is not parsed: that takes time quadratic in the number of its letters outside ASCII.
 */
function isUrl(text: string): boolean {
  const [, host] = SCHEME_AND_HOST.exec(text) ?? [];
  if (host === undefined || host.length > LONGEST_HOST || /[\s\\\p{Cc}]/u.test(text)) return false;
  return URL.canParse(text) && new URL(text).host !== '';
}

/** Accepts an IPv4 or IPv6 address, without a zone. */
function isIp(text: string): boolean {
  return text.length <= 45 && !text.includes('%') && isIP(text) !== 0;
}
