// On a disk: its failures and its fsync are among what is tested.
process.env.TMPDIR ??= require('node:os').tmpdir();

module.exports = {
  ...require('../../jest.config'),
  rootDir: '../..',
  roots: ['<rootDir>/test/faults'],
  testMatch: ['**/*.fault.ts'],
  globalSetup: '<rootDir>/test/faults/set-up.ts',
  reporters: ['default', '<rootDir>/test/faults/summary.js'],
  // Time-outs are among what is tested.
  setupFiles: [],
  // On a busy machine, a fault of a minute takes ten.
  testTimeout: 1_800_000,
  // What is measured must not be disturbed by the next fault.
  maxWorkers: 1,
};
