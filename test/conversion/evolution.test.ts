import * as fc from 'fast-check';
import { allowances } from '../../src/conversion/reports/allowances';
import { checkLaws } from '../../templates/laws/laws';
import { evolutions } from './evolution';
import { conversions, spokes } from './harness';

test('rules keep the laws in every combination, at every depth', () => {
  fc.assert(
    fc.property(evolutions, (yaml) => {
      const [{ problems }] = [...conversions(yaml).all.values()];
      // An object that only the hub has, in which nothing but a default is named: refused, and rightly so.
      fc.pre(!problems.some(({ message }) => message.startsWith('no write through this version makes')));
      const [{ hub, spoke, conversion, converter }] = [...spokes(yaml).values()];
      checkLaws(hub, [{ fields: spoke, converter, ...allowances(conversion.plan!) }], 10);
    }),
    { numRuns: Number(process.env['EVOLUTIONS'] ?? 60) },
  );
}, 600_000);
