import type { Failure } from '../runtime/model/problem';
import type { Answer } from './described';
import type { TestedService } from './tested';

/** A field, a value that breaks one of its rules, and that rule. */
export type Broken = [pointer: string, value: unknown, rule: string];

/** Checks that each value, put into the spec of a new resource, is refused for the rule that it breaks. */
export function brokenSpecs(service: TestedService, url: string, spec: object, table: Broken[]): void {
  for (const [pointer, value, rule] of table) {
    test(`spec${pointer} breaks ${rule}`, async () => {
      const response = await service.send('POST', url, { body: { spec: changed(spec, pointer, value) } });
      expectFailure(response, `#/spec${pointer}`, rule);
    });
  }
}

/** Checks that each value, put into the status of a resource, is refused for the rule that it breaks. */
export function brokenStatuses(
  service: TestedService,
  resource: () => Promise<string>,
  status: object,
  table: Broken[],
): void {
  for (const [pointer, value, rule] of table) {
    test(`status${pointer} breaks ${rule}`, async () => {
      const body = { status: changed(status, pointer, value) };
      const response = await service.send('PUT', `${await resource()}/status`, { body });
      expectFailure(response, `#/status${pointer}`, rule);
    });
  }
}

function expectFailure({ status, text }: Answer, pointer: string, rule: string): void {
  expect([status, text]).toEqual([400, text]);
  const { errors } = JSON.parse(text) as { errors: Failure[] };
  const failures = errors.map((failure) => `${failure.pointer} ${failure.rule}`);
  // A repeated key is reported at its element.
  const place =
    rule === 'key' ? failures.map((failure) => failure.replace(/\/\d+\/[^/]+ key$/, ' key')) : failures;
  expect(place).toContain(`${pointer} ${rule}`);
  const failure = errors.find((failure) => failure.rule === rule && failure.pointer.startsWith(pointer))!;
  expect(failure.detail).toMatch(DEMANDS[rule.split('=', 1)[0] as keyof typeof DEMANDS]);
}

/** The texts of failures, by the name of the rule. */
const DEMANDS = {
  required: / is required$/,
  unknown: /^unknown field "/,
  key: / repeats that of an earlier element$/,
  min: / must (be|have) at least \S+( character| element| member|$)/,
  max: / must (be|have) at most \S+( character| element| member|$)/,
  gt: / must be greater than \S+$/,
  lt: / must be less than \S+$/,
  oneof: / must be one of /,
  pattern: / must match /,
  email: / must be an email address$/,
  url: / must be an absolute URL with a host$/,
  ip: / must be an IPv4 or IPv6 address$/,
  type: / must be (an? (string|integer|number|object|list|timestamp)|true or false)/,
};

/** Returns a copy of the object with another value at the pointer; undefined removes it. */
function changed(object: object, pointer: string, value: unknown): object {
  const copy = structuredClone(object);
  const path = pointer.split('/').slice(1);
  const last = path.pop()!;
  const parent = path.reduce((at, part) => (at as { [key: string]: object })[part], copy);
  (parent as { [key: string]: unknown })[last] = value;
  return copy;
}
