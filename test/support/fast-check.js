// What tests get for fast-check: the same random cases in every run. TEST_SEED sets others, TEST_SEED=random new ones; the
// message of a failure has the seed.
const fc = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

const { TEST_SEED = '1' } = process.env;
const seed = TEST_SEED === 'random' ? Date.now() % 2 ** 31 : Number(TEST_SEED);
if (!Number.isInteger(seed))
  throw new Error(`TEST_SEED is "${TEST_SEED}": it must be an integer or "random"`);
fc.configureGlobal({ seed });

module.exports = fc;
