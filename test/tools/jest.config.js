// npm run test:tools: public tools read the OpenAPI documents. They are installed first, so they are not among npm test.
module.exports = {
  ...require('../../jest.config'),
  rootDir: '../..',
  roots: ['<rootDir>/test/tools'],
  testPathIgnorePatterns: [],
  // Programs in other languages compile: on a busy machine, each takes minutes.
  testTimeout: 1_800_000,
  // In CI they run next to each other and to the slow tests.
  maxWorkers: 2,
};
