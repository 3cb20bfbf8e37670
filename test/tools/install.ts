import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { goPrograms, isThere, oapiCodegen, openapiGenerator, pythonPrograms } from './foreign-tool';
import { kubectlPrograms } from './kubectl-program';
import { Tool } from './tool';

// npm run tools:install: installs and compiles what the tests of this folder need, which takes minutes. Without it, each test
// installs what it needs itself.

/** Returns the names of the folders in a folder of this one that have a file. */
function foldersWith(file: string, folder = ''): string[] {
  const names = readdirSync(join(__dirname, folder));
  return names.filter((name) => existsSync(join(__dirname, folder, name, file)));
}

async function install(): Promise<void> {
  for (const name of foldersWith('package-lock.json')) await new Tool(name).install();
  if (isThere('python3'))
    for (const name of foldersWith('requirements.txt', 'foreign')) await pythonPrograms(name);
  if (isThere('mvn')) await openapiGenerator();
}

async function compile(): Promise<void> {
  if (!isThere('go')) return;
  for (const { path } of kubectlPrograms()) await path();
  await goPrograms('kubernetes-go');
  await oapiCodegen();
}

void Promise.all([install(), compile()]);
