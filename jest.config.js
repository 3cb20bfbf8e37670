require('./test/support/temporary-folder')();

module.exports = {
  roots: ['<rootDir>/test'],
  testEnvironment: 'node',
  // These need tools of their own: npm run test:tools, npm run test:pages.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(pages|tools)/'],
  // It ends a test that hangs, not one on a machine that is busy with other things. No test has less.
  testTimeout: 300_000,
  maxWorkers: 3,
  reporters: ['default', '<rootDir>/test/support/progress-reporter.js'],
  testSequencer: '<rootDir>/test/support/longest-first.js',
  setupFiles: ['<rootDir>/test/support/patience.ts', '<rootDir>/test/support/compiled.ts'],
  moduleNameMapper: { '^fast-check$': '<rootDir>/test/support/fast-check.js' },
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' } } }] },
};
