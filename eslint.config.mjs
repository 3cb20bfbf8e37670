import importSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';

// npm run lint: the rules that need types, and the limits of CONTRIBUTING.md. A rule that does not fit is switched off
// here, with the reason.

/** Four parameters are the rule, five the limit. */
const LIMITS = {
  '@typescript-eslint/max-params': ['error', { max: 5 }],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
};

/** Files with functions beyond the limits. None may be added. */
const BEYOND_LIMITS = [
  'templates/runtime/conversion/{collections/{indexes,lists,maps},lenses/{containers,joining,lens}}.ts',
];

const UNSAFE = {
  '@typescript-eslint/no-unsafe-argument': 'off',
  '@typescript-eslint/no-unsafe-assignment': 'off',
  '@typescript-eslint/no-unsafe-call': 'off',
  '@typescript-eslint/no-unsafe-member-access': 'off',
  '@typescript-eslint/no-unsafe-return': 'off',
};

export default tseslint.config(
  // Generated projects, and programs of other tools.
  {
    ignores: [
      'dist/',
      '.tmp/',
      'examples/',
      'fixtures/',
      'templates/generated/',
      'templates/project/',
      'test/tools/*/**',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts', '**/*.tsx'],
    plugins: { 'import-sort': importSort },
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: 'error',
      // Modules of Node.js and packages come first, then files, the most distant first.
      'import-sort/imports': ['error', { groups: [['^\\u0000', '^node:', '^@?\\w', '^\\.\\./', '^\\./']] }],
      '@typescript-eslint/no-deprecated': 'error',
      '@typescript-eslint/no-unnecessary-template-expression': 'error',
      '@typescript-eslint/no-unnecessary-type-arguments': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // A leading underscore marks a value that is left out: `const { status: _, ...rest }`.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // `interface Settings extends ValuesOf<typeof TABLE> {}` adds the members of a table.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      // JSON values become strings where a schema has made sure that they are scalars; types do not say so.
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      // `Promise.all` takes values that are there already next to promises.
      '@typescript-eslint/await-thenable': 'off',
      // An interface has methods, and closures implement it, which have no `this` to lose.
      '@typescript-eslint/unbound-method': 'off',
      // Functions that return a promise are async, so that an error rejects it.
      '@typescript-eslint/require-await': 'off',
      // Modules that few runs need are loaded when one does.
      '@typescript-eslint/no-require-imports': 'off',
    },
  },
  {
    files: ['src/**/*.ts', 'templates/**/*.ts', 'console/**/*.{ts,tsx}'],
    ignores: BEYOND_LIMITS,
    rules: LIMITS,
  },
  {
    // Ajv declares parameters of errors and the context of keywords as `any`.
    files: ['src/load/check-shape.ts', 'src/render/kinds/validator-keywords.ts'],
    rules: UNSAFE,
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // Matchers of Jest (`expect.any`) and parsed responses are `any`: a wrong one fails the test.
      ...UNSAFE,
      // Tests run code that svcgen has generated.
      '@typescript-eslint/no-implied-eval': 'off',
    },
  },
);
