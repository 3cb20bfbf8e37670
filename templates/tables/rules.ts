import type { Failure } from '../runtime/problem';
import type { Answer } from './described';
import type { TestedService } from './tested';

/** A field, a value that breaks one of its rules, and that rule. */
export type Broken = [pointer: string, value: unknown, rule: string];

/** Each value, put into the spec of a new resource, is refused for the rule that it breaks. */
export function brokenSpecs(service: TestedService, url: string, spec: object, table: Broken[]): void {
  for (const [pointer, value, rule] of table) {
    test(`spec${pointer} breaks ${rule}`, async () => {
      const answer = await service.send('POST', url, { body: { spec: changed(spec, pointer, value) } });
      expectFailure(answer, `#/spec${pointer}`, rule);
    });
  }
}

/** Each value, put into the status of a resource, is refused for the rule that it breaks. */
export function brokenStatuses(
  service: TestedService,
  resource: () => Promise<string>,
  status: object,
  table: Broken[],
): void {
  for (const [pointer, value, rule] of table) {
    test(`status${pointer} breaks ${rule}`, async () => {
      const body = { status: changed(status, pointer, value) };
      const answer = await service.send('PUT', `${await resource()}/status`, { body });
      expectFailure(answer, `#/status${pointer}`, rule);
    });
  }
}

function expectFailure({ status, text }: Answer, pointer: string, rule: string): void {
  expect([status, text]).toEqual([400, text]);
  const { errors } = JSON.parse(text) as { errors: Failure[] };
  const failures = errors.map((failure) => `${failure.pointer} ${failure.rule}`);
  // A key that is repeated is named where it stands.
  const place =
    rule === 'key' ? failures.map((failure) => failure.replace(/\/\d+\/[^/]+ key$/, ' key')) : failures;
  expect(place).toContain(`${pointer} ${rule}`);
}

/** A copy of the object with another value at the pointer; undefined removes it. */
function changed(object: object, pointer: string, value: unknown): object {
  const copy = structuredClone(object);
  const path = pointer.split('/').slice(1);
  const last = path.pop()!;
  const parent = path.reduce((at, part) => (at as { [key: string]: object })[part]!, copy);
  (parent as { [key: string]: unknown })[last] = value;
  return copy;
}
