module.exports = {
  ...require('../../jest.config'),
  rootDir: '../..',
  roots: ['<rootDir>/test/faults'],
  testMatch: ['**/*.fault.ts'],
  globalSetup: '<rootDir>/test/faults/set-up.ts',
  reporters: ['default', '<rootDir>/test/faults/summary.js'],
  testTimeout: 420_000,
  // What is measured must not be disturbed by the next fault.
  maxWorkers: 1,
};
