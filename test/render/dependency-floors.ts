/**
 * The oldest versions without a known vulnerability, of packages that had one: one for each major version that was
 * mended, and the advisory. A major version below all of them was never mended. What `npm audit` would say is said here without a
 * network, as of November 2026; a new advisory is a new line. CI asks the registry itself: scripts/audit.js.
 */
export const FLOORS: { [name: string]: { floors: string[]; advisory: string } } = {
  '@babel/helpers': { floors: ['7.26.10'], advisory: 'CVE-2025-27789' },
  '@babel/traverse': { floors: ['7.23.2'], advisory: 'CVE-2023-45133' },
  ajv: { floors: ['6.14.0', '8.18.0'], advisory: 'CVE-2025-69873' },
  'ansi-regex': { floors: ['3.0.1', '4.1.1', '5.0.1', '6.0.1'], advisory: 'CVE-2021-3807' },
  'body-parser': { floors: ['1.20.6', '2.3.0'], advisory: 'CVE-2026-12590' },
  'brace-expansion': { floors: ['1.1.12', '2.0.2', '3.0.1', '4.0.1'], advisory: 'CVE-2025-5889' },
  braces: { floors: ['3.0.3'], advisory: 'CVE-2024-4068' },
  cookie: { floors: ['0.7.0'], advisory: 'CVE-2024-47764' },
  cookiejar: { floors: ['2.1.4'], advisory: 'CVE-2022-25901' },
  'cross-spawn': { floors: ['6.0.6', '7.0.5'], advisory: 'CVE-2024-21538' },
  diff: { floors: ['3.5.1', '4.0.4', '5.2.2', '8.0.3'], advisory: 'CVE-2026-24001' },
  express: { floors: ['4.20.0', '5.0.0'], advisory: 'CVE-2024-43796' },
  'fast-json-patch': { floors: ['3.1.1'], advisory: 'CVE-2021-4279' },
  'form-data': { floors: ['2.5.4', '3.0.4', '4.0.4'], advisory: 'CVE-2025-7783' },
  formidable: { floors: ['2.1.5', '3.5.3'], advisory: 'CVE-2025-46653' },
  glob: { floors: ['10.5.0', '11.1.0'], advisory: 'CVE-2025-64756' },
  handlebars: { floors: ['4.7.7'], advisory: 'CVE-2021-23369' },
  'js-yaml': { floors: ['3.14.2', '4.2.0'], advisory: 'CVE-2025-64718' },
  json5: { floors: ['1.0.2', '2.2.2'], advisory: 'CVE-2022-46175' },
  jsonwebtoken: { floors: ['9.0.0'], advisory: 'CVE-2022-23540' },
  jws: { floors: ['3.2.3', '4.0.1'], advisory: 'CVE-2025-65945' },
  lodash: { floors: ['4.17.21'], advisory: 'CVE-2021-23337' },
  micromatch: { floors: ['4.0.8'], advisory: 'CVE-2024-4067' },
  minimatch: { floors: ['3.0.5'], advisory: 'CVE-2022-3517' },
  minimist: { floors: ['0.2.4', '1.2.6'], advisory: 'CVE-2021-44906' },
  'path-to-regexp': { floors: ['0.1.12', '8.0.0'], advisory: 'CVE-2024-52798' },
  pg: { floors: ['7.1.2'], advisory: 'CVE-2017-16082' },
  qs: { floors: ['6.14.1'], advisory: 'CVE-2025-15284' },
  semver: { floors: ['5.7.2', '6.3.1', '7.5.2'], advisory: 'CVE-2022-25883' },
  send: { floors: ['0.19.0', '1.0.0'], advisory: 'CVE-2024-43799' },
  'serve-static': { floors: ['1.16.0', '2.1.0'], advisory: 'CVE-2024-43800' },
  'swagger-ui-dist': { floors: ['4.1.3'], advisory: 'GHSA-qrmm-w75w-3wpx' },
  'word-wrap': { floors: ['1.2.4'], advisory: 'CVE-2023-26115' },
  yaml: { floors: ['2.2.2'], advisory: 'CVE-2023-2251' },
};

/**
 * Returns whether a version (`1.2.3`) is at or above the floor of its major version, or of a major version above all
 * that have one. A pre-release counts as the version before it.
 */
export function isAbove(version: string, floors: readonly string[]): boolean {
  const own = numbers(version);
  const floor = floors.map(numbers).findLast(([major]) => major <= own[0]);
  if (floor === undefined) return false;
  if (floor[0] < own[0]) return floors.every((each) => numbers(each)[0] < own[0]);
  const differs = own.findIndex((number, index) => number !== floor[index]);
  return differs < 0 ? !version.includes('-') : own[differs] > floor[differs];
}

function numbers(version: string): number[] {
  return version.split('-', 1)[0].split('.').map(Number);
}
