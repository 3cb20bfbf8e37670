import { onBothStores } from '../support/databases';
import { compareSelections } from './selections';

// A small share of what test/faults/selections.attack.ts compares.

onBothStores((url) => {
  test('selectors and sorts in each version return what a filter over its GETs returns', async () => {
    const { found } = await compareSelections(url, { seed: 9, comparisons: 600, perVersion: 60 });
    // Lists without resources would say little.
    expect(found).toBeGreaterThan(600);
  });
});
