module.exports = {
  roots: ['<rootDir>/test'],
  testEnvironment: 'node',
  transform: { '^.+\\.ts$': ['ts-jest', { diagnostics: false }] },
};
