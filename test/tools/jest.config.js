// npm run test:tools: public tools read the OpenAPI documents. They are installed first, so they are not among npm test.
module.exports = {
  ...require('../../jest.config'),
  rootDir: '../..',
  roots: ['<rootDir>/test/tools'],
  testPathIgnorePatterns: [],
};
