// npm run test:slow: files of more than twenty seconds of processor time each. They compile and run many projects, or search through many cases.
module.exports = {
  ...require('../jest.config'),
  rootDir: '..',
  testMatch: ['**/*.slow.ts'],
  // Each waits for services and installations for a part of its time.
  maxWorkers: 4,
  // Projects that run their own tests: on a busy machine, each takes minutes.
  testTimeout: 1_800_000,
};
