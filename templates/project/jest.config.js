// swc makes exports read-only. For jest.spyOn on an export, the test first copies its module:
// jest.mock('../src/mail', () => ({ __esModule: true, ...jest.requireActual('../src/mail') }));
module.exports = {
  roots: ['<rootDir>/test'],
  testEnvironment: 'node',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { decoratorVersion: '2022-03' },
        },
      },
    ],
  },
};
