import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { digestOf } from '../../src/cache/digest';
import { partsOf, placesOf } from '../../src/cache/openapi-parts';
import { loadProject } from '../../src/load/load-project';
import { openApi } from '../assembled-openapi';
import { OPENAPI_FILE, openApiFile, openApiText } from '../../src/render/openapi-file';
import { GENERATED_HEADER } from '../../src/write/ownership';

const fixture = (name: string) => loadProject(path.join(__dirname, '..', '..', 'fixtures', name)).project;
const nothing = () => undefined;

test.each(['empty', 'minimal', 'everything'])('the text of %s is the document', (name) => {
  const project = fixture(name);
  const { 'x-generated-by': header, ...document } = JSON.parse(openApiFile(project)) as {
    [key: string]: unknown;
  };
  expect(header).toBe(GENERATED_HEADER);
  expect(JSON.stringify(document)).toBe(JSON.stringify(openApi(project)));
});

describe('the parts of a document that stands in a folder', () => {
  const project = fixture('everything');
  const { text, parts } = openApiText(project, nothing);
  const cache = {
    ...{ inputs: '', imports: [], notices: {}, kinds: [] },
    files: [{ path: OPENAPI_FILE, owner: 'svcgen' as const, source: '', digest: digestOf(text) }],
    openApi: placesOf(text, parts),
  };
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'svcgen-parts-'));
    fs.mkdirSync(path.join(folder, path.dirname(OPENAPI_FILE)), { recursive: true });
    fs.writeFileSync(path.join(folder, OPENAPI_FILE), text);
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  test('are known by what they are made of', () => {
    const recall = partsOf(folder, cache);
    expect(parts.map(({ source }) => recall(source))).toEqual(parts);
    expect(recall('another')).toBeUndefined();
  });

  test('make the same document, where a kind changed too', () => {
    const [first, ...others] = project.groups;
    const changed = { ...project, groups: [{ ...first!, kinds: first!.kinds.slice(1) }, ...others] };
    const recall = jest.fn(partsOf(folder, cache));
    expect(openApiText(changed, recall).text).toBe(openApiFile(changed));
    expect(recall.mock.results.filter(({ value }) => value !== undefined).length).toBeGreaterThan(3);
  });

  test('are not taken from a file that was edited, or is gone', () => {
    fs.appendFileSync(path.join(folder, OPENAPI_FILE), ' ');
    expect(partsOf(folder, cache)(parts[0]!.source)).toBeUndefined();
    fs.rmSync(path.join(folder, OPENAPI_FILE));
    expect(partsOf(folder, cache)(parts[0]!.source)).toBeUndefined();
  });
});
