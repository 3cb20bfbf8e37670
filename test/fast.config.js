// npm run test:fast: the tests that need no service, second process, database server or installation.
module.exports = {
  ...require('../jest.config'),
  rootDir: '..',
  // The others start services or compile projects; npm test runs them.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/(cli|docs|doctor|faults|generate|journeys|pages|pattern|tools|write)/',
    '<rootDir>/test/client/(client-package|ctl|edit|rendered)\\.',
    '<rootDir>/test/conversion/(arbitrary|combinations|corpus|evolution|laws)\\.',
    '<rootDir>/test/golden\\.',
    '<rootDir>/test/render/supply-chain\\.',
    '<rootDir>/test/runtime/.*(postgres|\\.http\\.)',
    '<rootDir>/test/runtime/events/(controller|crashes|dead-letters|event-stream|nats|sdk-loading|subscriptions|webhooks)\\.',
    '<rootDir>/test/runtime/.*\\b(copy-store|hooks|middleware|migrate-storage|parsers-hunt|row-cache|serve|sqlite-faults|storage-migration|workers)\\.',
  ],
};
