const units: { [unit: string]: number } = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 };

/** Returns the seconds of a duration such as `1h30m`, `90m`, `1.5h`, `250ms` or `-5s`; undefined for any other string. */
export function parseDuration(text: string): number | undefined {
  const [, sign, rest] = /^([+-]?)(.+)$/s.exec(text) ?? [];
  if (rest === undefined) return undefined;
  if (rest === '0') return 0;
  if (!/^(\d+(\.\d+)?(h|ms|m|s|us|µs|ns))+$/.test(rest)) return undefined;
  let seconds = 0;
  for (const [, amount, , unit] of rest.matchAll(/(\d+(\.\d+)?)(h|ms|m|s|us|µs|ns)/g)) {
    seconds += Number(amount) * units[unit];
  }
  if (!Number.isFinite(seconds)) return undefined;
  const exact = Number.isInteger(seconds) ? seconds : Number(seconds.toPrecision(15));
  return sign === '-' ? 0 - exact : exact;
}

/** Formats a number of seconds as hours, minutes and seconds, without those that are zero: 5400 is `1h30m`, 0 is `0s`. */
export function durationText(seconds: number): string {
  const whole = Math.trunc(Math.abs(seconds));
  const fraction = Number((Math.abs(seconds) - whole).toPrecision(Math.max(1, 15 - String(whole).length)));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = (whole % 60) + fraction;
  const parts = [
    hours > 0 ? `${plain(hours)}h` : '',
    minutes > 0 ? `${minutes}m` : '',
    rest > 0 ? `${plain(rest)}s` : '',
  ].join('');
  return parts === '' ? '0s' : `${seconds < 0 ? '-' : ''}${parts}`;
}

/** Returns the digits of a number, never with an exponent. */
function plain(value: number): string {
  if (Number.isInteger(value)) return BigInt(value).toString();
  return value.toFixed(12).replace(/0+$/, '').replace(/\.$/, '');
}
