import { goPrograms, isThere } from './foreign-tool';

// npm run tools:go: compiles the programs in Go that need hundreds of packages, which takes minutes.

if (isThere('go')) void goPrograms('kubernetes-go');
