import { allowances } from '../../src/conversion/allowances';
import { EACH_RULE } from './each-rule';
import { pair, spokes } from './harness';
import { checkLaws } from '../../templates/laws/laws';

beforeAll(() => jest.spyOn(console, 'error').mockImplementation(() => undefined));
afterAll(() => jest.restoreAllMocks());

test.each(Object.entries(EACH_RULE))('%s', (_, { user, ...given }) => {
  const [{ hub, spoke, conversion, converter }] = [...spokes(pair(given), user).values()];
  checkLaws(hub, [{ fields: spoke, converter, ...allowances(conversion.plan!) }]);
});
