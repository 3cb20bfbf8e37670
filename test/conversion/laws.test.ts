import { allowances } from '../../src/conversion/reports/allowances';
import { checkLaws, type Side } from '../../templates/laws/laws';
import { pair, spokes } from './harness';

/** Both versions accept everything, except what a test says. */
function check(rules: string, hubAccepts: Side['accepts']): void {
  const yaml = pair({ hub: 'spec: { a: string, n: integer }', spoke: 'spec: { a: string }', rules });
  const [{ hub, spoke, conversion, converter }] = [...spokes(yaml).values()];
  const fields = { ...spoke, accepts: () => true };
  checkLaws({ ...hub, accepts: hubAccepts }, [{ fields, converter, ...allowances(conversion.plan!) }], 5);
}

test('a version through which nothing can be created fails', () => {
  const isSmall: Side['accepts'] = (_, { n }) => n === undefined || (n as number) <= 5;
  check('- default: { hub: spec.n, value: 5 }', isSmall);
  expect(() => check('- default: { hub: spec.n, value: 6 }', isSmall)).toThrow(
    'Creates: every spec is refused',
  );
});

test('nothing is said of a version that shows nothing acceptable', () => {
  check('- default: { hub: spec.n, value: 6 }', () => false);
});
