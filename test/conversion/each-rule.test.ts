import { parse } from 'yaml';
import { readingsOf } from '../../src/conversion/hub/readings';
import { allowances } from '../../src/conversion/reports/allowances';
import { checkLaws } from '../../templates/laws/laws';
import { EACH_RULE } from './each-rule';
import { conversions, type Given, pair, spokes } from './harness';

beforeAll(() => jest.spyOn(console, 'error').mockImplementation(() => undefined));
afterAll(() => jest.restoreAllMocks());

test.each(Object.entries(EACH_RULE))('%s', (_, { user, ...given }) => {
  const [{ hub, spoke, conversion, converter }] = [...spokes(pair(given), user).values()];
  const subject = { fields: spoke, converter, ...allowances(conversion.plan!) };
  checkLaws(hub, [subject], Number(process.env['LAW_RUNS'] ?? 60));
});

test.each(Object.entries(EACH_RULE))('%s: the order of the rules says nothing', (_, given) => {
  const readings = (yaml: string): string[] =>
    readingsOf([...conversions(yaml).all.values()][0].plan!)
      .map(({ spoke, text }) => `${spoke} ${text}`)
      .sort();
  expect(readings(reversed(given))).toEqual(readings(pair(given)));
});

/** The project of a pair with its rules in the other order. */
function reversed(given: Given): string {
  const project = parse(pair(given)) as {
    groups: [{ kinds: [{ versions: { v1beta1: { conversion: unknown[] } } }] }];
  };
  project.groups[0].kinds[0].versions.v1beta1.conversion.reverse();
  return JSON.stringify(project);
}
