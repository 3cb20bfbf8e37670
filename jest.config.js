module.exports = {
  roots: ['<rootDir>/test'],
  testEnvironment: 'node',
  // These need tools of their own: npm run test:tools, npm run test:pages.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(pages|tools)/'],
  // No test measures time by failing: a machine that is busy with other things is slow.
  testTimeout: 30_000,
  maxWorkers: 3,
  transform: { '^.+\\.ts$': ['ts-jest', { diagnostics: false }] },
};
