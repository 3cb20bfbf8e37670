// npm run test:pages: the pages in a real Chromium, which is installed first, so they are not among npm test.
module.exports = {
  ...require('../../jest.config'),
  rootDir: '../..',
  roots: ['<rootDir>/test/pages'],
  testPathIgnorePatterns: [],
  globalSetup: '<rootDir>/test/pages/build-console.ts',
  // In CI they run next to each other and to the slow tests.
  maxWorkers: 2,
};
