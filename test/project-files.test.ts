import { join } from 'node:path';
import { loadProject } from '../src/load-project';
import { render } from '../src/render';
import { SETTINGS } from '../templates/runtime/settings';

const folder = join(__dirname, '..', 'fixtures', 'minimal');
const files = new Map(render(loadProject(folder).project).map(({ path, text }) => [path, text]));

test('.env.example names every setting, with what it is without one', () => {
  const lines = files.get('.env.example')!.match(/^#[A-Z_]+=.*$/gm)!;
  const fallbacks = Object.entries(SETTINGS).map(([name, { fallback }]) => [name, String(fallback)]);
  const expected = new Map([...fallbacks, ['DATABASE_URL', 'sqlite:./data/minimal.db']] as [
    string,
    string,
  ][]);
  expect(lines.map((line) => line.slice(1)).sort()).toEqual(
    [...expected].map(([name, value]) => `${name}=${value}`).sort(),
  );
});

test('the dependencies of a service are those that its runtime imports', () => {
  const { dependencies } = JSON.parse(files.get('package.json')!) as {
    dependencies: { [name: string]: string };
  };
  const sources = [...files].filter(([path]) => path.startsWith('src/')).map(([, text]) => text);
  const imports = sources.flatMap((text) => [
    ...text.matchAll(/(?:from|import\(|require\(|require\.resolve\()\s*'((?:@[\w-]+\/)?[\w-]+)/g),
  ]);
  const packages = new Set(imports.map(([, name]) => name!).filter((name) => name !== 'node'));
  for (const name of packages) expect(Object.keys(dependencies)).toContain(name);
});
