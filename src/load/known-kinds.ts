import { Located } from './located';
import type { Json } from '../model';
import type { YamlFile } from './yaml-file';

/** A kind as it stands in a project.yaml that nothing is wrong with. */
export interface KnownKind {
  /** From the end of the line before it to where the item after it starts: where the same stands, the same is meant. */
  text: string;
  data: Json;
}

/** A project.yaml with an empty item, as long as it, in place of each kind that is known: all else stands where it stood. */
export interface Abridged {
  text: string;
  /** What the kinds are, by where they stand. */
  left: Map<number, Json>;
}

/** The line break, the indentation and the dash that an item of a list starts with. */
const ITEM = /^\n *- $/;

/** The kinds of a file that its text alone tells of. The last one of a list is none of them: nothing shows where it ends. */
export function knownKinds(file: YamlFile): KnownKind[] {
  if (!isPlain(file)) return [];
  return kindLists(file).flatMap((list) => {
    const items = list.items().map(({ path, value }) => {
      const start = file.start(path);
      return { start, value: value!, item: file.text.slice(file.text.lastIndexOf('\n', start - 1), start) };
    });
    return items.slice(0, -1).flatMap(({ start, value, item }, index): KnownKind[] => {
      const next = items[index + 1]!;
      if (!ITEM.test(item) || item !== next.item) return [];
      return [{ text: file.text.slice(start - item.length, next.start), data: value }];
    });
  });
}

/** Leaves out the kinds that are known. */
export function abridge(text: string, known: KnownKind[]): Abridged {
  const left = new Map<number, Json>();
  let abridged = '';
  let end = 0;
  for (const kind of known) {
    const place = text.indexOf(kind.text, end);
    if (place < 0) continue;
    const item = kind.text.indexOf('-') + 2;
    const start = place + item;
    left.set(start, kind.data);
    abridged += text.slice(end, start);
    end = place + kind.text.length - item;
    abridged += '#'.repeat(end - start);
  }
  return { text: abridged + text.slice(end), left };
}

/**
 * Puts what was left out into the data. False if one of the empty items is no kind: then it stands in the middle of
 * something, such as a text whose quote is missing, and the kind does too.
 */
export function restore(file: YamlFile, left: Abridged['left']): boolean {
  let restored = 0;
  for (const list of kindLists(file)) {
    for (const [index, { path, value }] of list.items().entries()) {
      const data = left.get(file.start(path));
      if (data === undefined || value !== null) continue;
      (list.value as Json[])[index] = data;
      restored += 1;
    }
  }
  return restored === left.size && isPlain(file);
}

/** Whether nothing in the file can mean something else because of what stands elsewhere: no alias, no directive. */
function isPlain({ targets, text }: YamlFile): boolean {
  return targets.size === 0 && !/^%/m.test(text);
}

function kindLists(file: YamlFile): Located[] {
  const groups = Located.root(file, () => undefined).get('groups');
  return groups.items().map((group) => group.get('kinds'));
}
