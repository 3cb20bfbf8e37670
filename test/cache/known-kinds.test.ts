import fc from 'fast-check';
import { abridge, knownKinds, restore } from '../../src/load/known-kinds';
import { loadProject } from '../../src/load/load-project';
import { parseYaml } from '../../src/load/parse-yaml';
import type { YamlFile } from '../../src/load/yaml-file';
import { ProjectError } from '../../src/problem';

const PROJECT = `name: shop
groups:
  - name: example.svc.dev
    versions: [v1] # the first
    types:
      Place: { name: string }
    kinds:
      - name: Device
        versions:
          v1:
            spec:
              name: { type: string, rules: [required, 'pattern=^[- "]+$'] }
              place: Place
      - name: Room

        # between two kinds
        versions: { v1: { spec: { size: { type: integer, description: "one
          - two" } } } }
      - name: Hall
        versions:
          v1:
            spec:
              size:
                type: integer
                description: |+
                  keeps what follows

      # before the last
      - name: Floor
        versions: { v1: { spec: { level: integer } } }
  - name: other.svc.dev
    kinds:
    - name: Chair
      versions: { v1: { spec: { legs: { type: integer, default: 4 } } } }
    - name: Table
      versions: { v1: { spec: { legs: integer } } }
`;

/** A text as it is parsed, and whether anything is wrong with it. */
function parse(text: string, parsed = text): { file: YamlFile | undefined; isSound: boolean } {
  let isSound = true;
  const file = parseYaml('project.yaml', text, () => (isSound = false), parsed);
  return { file, isSound: isSound && file !== undefined };
}

const known = (text: string) => knownKinds(parse(text).file!);
const namesOf = (kinds: { data: unknown }[]) => kinds.map(({ data }) => (data as { name: string }).name);

test('every kind but the last of a list is known by its text', () => {
  expect(namesOf(known(PROJECT))).toEqual(['Device', 'Room', 'Hall', 'Chair']);
});

test.each<[what: string, text: string]>([
  ['an alias', PROJECT.replace('place: Place', 'place: &p Place').replace('level: integer', 'level: *p')],
  ['a directive', `%YAML 1.1\n---\n${PROJECT}`],
])('none is known of a file with %s', (_, text) => {
  expect(parse(text).isSound).toBe(true);
  expect(known(text)).toEqual([]);
});

test.each<[what: string, edit: (text: string) => string, left: number]>([
  ['nothing', (text) => text, 4],
  ['a kind', (text) => text.replace('place: Place', 'place: string'), 3],
  ['two kinds', (text) => text.replace('place: Place', 'place: string').replace('4', '3'), 2],
  ['the last kind', (text) => text.replace('level', 'storey'), 4],
  ['what is before the kinds', (text) => text.replace('name: string', 'name: string, city: string'), 4],
  ['the name of the second group', (text) => text.replace('other', 'another'), 4],
  ['a kind more', (text) => text.replace('      - name: Hall', '      - name: New\n      - name: Hall'), 4],
  ['a kind less', (text) => text.replace(/ {6}- name: Room[^]*(?= {6}- name: Hall)/, ''), 3],
  ['a line at the end of a kind', (text) => text.replace('place: Place\n', '$&        plural: devs\n'), 3],
  ['an empty line that a text keeps', (text) => text.replace('keeps what follows\n', '$&\n'), 3],
  [
    'a line in a text, like a comment',
    (text) => text.replace('what follows\n', '$&\n                  # x\n'),
    3,
  ],
  ['the order', (text) => text.replace('Hall', 'X').replace('Device', 'Hall').replace('X', 'Device'), 2],
])('changed: %s', (_, edit, count) => {
  const text = edit(PROJECT);
  const { text: abridged, left } = abridge(text, known(PROJECT));
  expect([left.size, abridged.length]).toEqual([count, text.length]);
  const { file } = parse(text, abridged);
  expect(restore(file!, left)).toBe(true);
  expect(file!.data).toEqual(parse(text).file!.data);
  expect(knownKinds(file!)).toEqual(known(text));
});

test.each<[what: string, edit: (text: string) => string]>([
  ['a quote is not closed', (text) => text.replace('place: Place', "place: 'Place")],
  ['an alias is new', (text) => text.replace('name: shop', 'name: &a shop').replace('4', '*a')],
  ['a directive is new', (text) => `%YAML 1.1\n---\n${text}`],
  ['the kinds are something else', (text) => text.replace('    kinds:\n      -', '    others:\n      -')],
])('what is known is of no use where %s', (_, edit) => {
  const text = edit(PROJECT);
  const { text: abridged, left } = abridge(text, known(PROJECT));
  expect(left.size).toBeGreaterThan(0);
  const { file, isSound } = parse(text, abridged);
  expect(isSound && restore(file!, left)).toBe(false);
});

describe('a project is loaded, or refused, as it is without what is known', () => {
  const loaded = (text: string, kinds = known('')) => {
    try {
      const { project, locate } = loadProject('.', text, kinds);
      const versions = project.groups.flatMap(({ kinds }, g) =>
        kinds.map((_, k) => locate(['groups', g, 'kinds', k, 'versions', 'v1', 'spec', 'size'])),
      );
      return { project, versions };
    } catch (error) {
      if (!(error instanceof ProjectError)) throw error;
      return error.problems;
    }
  };

  test.each<[what: string, edit: (text: string) => string, place: object]>([
    ['nothing wrong', (text) => text.replace('place: Place', 'place: string'), {}],
    [
      'a mistake in the kind that changed',
      (text) => text.replace('place: Place', 'place: strong'),
      { line: 13, column: 22, source: '              place: strong' },
    ],
    [
      'a mistake in its YAML',
      (text) => text.replace('place: Place', 'place: [Place'),
      { message: expect.stringMatching(/^YAML: /) },
    ],
    [
      'a change elsewhere that is one in a kind that did not change',
      (text) => text.replace('Place:', 'Address:'),
      { line: 13, column: 22, source: '              place: Place' },
    ],
    [
      'a kind that is there twice, where the first is known',
      (text) => text.replace('name: Floor', 'name: Room'),
      { hint: 'the first is at project.yaml:14' },
    ],
  ])('%s', (_, edit, place) => {
    const text = edit(PROJECT);
    const got = loaded(text, known(PROJECT));
    expect(got).toEqual(loaded(text));
    expect(Array.isArray(got) ? got[0] : {}).toMatchObject(place);
  });
});

describe('after any edits', () => {
  const indents = fc.nat({ max: 18 });
  const content = fc.constantFrom(
    ...[
      '',
      '# note',
      '- name: New',
      'name: New',
      'kinds:',
      'groups:',
      'versions: { v1: { spec: { a: string } } }',
    ],
    ...['description: |', 'description: |+', 'description: >-', 'text', '- ', '-', '? a', ': b', '- # empty'],
    ...[
      '"',
      "'",
      '[',
      ']',
      '{',
      '}',
      'a: "b',
      "it's: 'so",
      'a: &a 1',
      '*a',
      'b: *a',
      '!!str',
      '%YAML 1.1',
      '---',
      '...',
    ],
    ...['- name: Device', '- name: Chair', '######', 'x: "\n      - name: Hall"'],
  );
  const line = fc.tuple(indents, content).map(([indent, text]) => ' '.repeat(indent) + text);
  const edit = fc.record({
    at: fc.nat(),
    remove: fc.constantFrom(0, 0, 1, 2, 5),
    lines: fc.array(line, { maxLength: 2 }),
  });
  const edits = fc.array(edit, { minLength: 1, maxLength: 3 });
  const edited = (text: string, all: { at: number; remove: number; lines: string[] }[]): string => {
    const lines = text.split('\n');
    for (const { at, remove, lines: added } of all) lines.splice(at % (lines.length + 1), remove, ...added);
    return lines.join('\n');
  };

  test('what is put together is what the whole file says', () => {
    const runs = 1000;
    let used = 0;
    fc.assert(
      fc.property(edits, edits, fc.boolean(), (before, after, crlf) => {
        const old = parse(edited(PROJECT, before));
        const base = old.isSound ? edited(PROJECT, before) : PROJECT;
        const breaks = (text: string): string => (crlf ? text.replaceAll('\n', '\r\n') : text);
        const text = breaks(edited(base, after));
        const { text: abridged, left } = abridge(text, known(breaks(base)));
        const { file, isSound } = parse(text, abridged);
        if (!isSound || !restore(file!, left)) return;
        used += left.size;
        const whole = parse(text);
        expect(whole.isSound).toBe(true);
        expect(JSON.stringify(file!.data)).toBe(JSON.stringify(whole.file!.data));
        expect(knownKinds(file!)).toEqual(knownKinds(whole.file!));
      }),
      { numRuns: runs },
    );
    expect(used).toBeGreaterThan(runs / 5);
  });
});
