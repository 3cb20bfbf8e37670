import { isAlias, isMap, isScalar, isSeq, LineCounter, type Pair, type ParsedNode } from 'yaml';
import type { Mistake, Path, Problem } from '../../model/problem';
import type { Json } from '../../model/project';
import { visible } from '../../model/quoted';

/** Where something stands in a file of the project, as a problem shows it. */
export type Position = Omit<Problem, keyof Mistake>;

/** Takes a problem; the others of the same file are looked for nevertheless. */
export type Report = (problem: Problem) => void;

/** The longest part of a line that is shown with a problem. */
const MAX_SHOWN = 200;

/** A pair of a mapping, or an item of a list. */
interface Member {
  key?: ParsedNode;
  value: ParsedNode | null;
}

/** A parsed file: its data, and where each part of it stands. */
export class YamlFile {
  /** The file as plain data; null when it is empty. */
  data: Json = null;
  /** The target of each alias. */
  readonly targets = new Map<unknown, ParsedNode>();
  readonly lines = new LineCounter();
  root: ParsedNode | null = null;
  private readonly memberMaps = new Map<ParsedNode | null, Map<string, Member>>();

  constructor(
    readonly name: string,
    readonly text: string,
  ) {
    this.lines.addNewLine(0);
    for (const { index } of text.matchAll(/\n/g)) this.lines.addNewLine(index + 1);
  }

  /** The position of a value; of the nearest one that contains it where there is none. */
  value(path: Path): Position {
    const pair = this.follow(path);
    return { ...this.offset((pair?.value ?? pair?.key ?? this.root)?.range[0] ?? 0), path };
  }

  /** The position of a value's key; of the value itself for an item of a list. */
  key(path: Path): Position {
    const pair = this.follow(path);
    return { ...this.offset((pair?.key ?? pair?.value ?? this.root)?.range[0] ?? 0), path };
  }

  /** The characters of a value that is written without quotes, such as `1.10`; undefined for any other value. */
  written(path: Path): string | undefined {
    const node = this.resolved(this.follow(path)?.value ?? null);
    return isScalar(node) && node.type === 'PLAIN' ? node.source : undefined;
  }

  /** The position of a character. */
  offset(offset: number): Position {
    const { line, col } = this.lines.linePos(offset);
    return {
      file: this.name,
      line: Math.max(line, 1),
      column: Math.max(col, 1),
      source: this.line(line, col),
    };
  }

  /** The text of a line, unless it is blank or the column is too far out to be shown. */
  private line(line: number, column: number): string | undefined {
    const start = this.lines.lineStarts[line - 1] ?? 0;
    const end = Math.min(this.lines.lineStarts[line] ?? this.text.length, start + MAX_SHOWN + 2);
    const text = visible(this.text.slice(start, end).replace(/\r?\n$/, ''));
    if (text.trim() === '' || column > MAX_SHOWN) return undefined;
    return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  }

  /** The deepest pair or item along the path that exists. */
  private follow(path: Path): Member | undefined {
    let node = this.resolved(this.root);
    let found: Member | undefined;
    for (const step of path) {
      const next = this.members(node).get(String(step));
      if (next === undefined) break;
      found = next;
      node = this.resolved(next.value ?? null);
    }
    return found;
  }

  /** The pairs of a mapping by key, or the items of a list by index. */
  private members(node: ParsedNode | null): Map<string, Member> {
    let members = this.memberMaps.get(node);
    if (members === undefined) {
      members = new Map();
      if (isMap<ParsedNode, ParsedNode | null>(node)) {
        for (const pair of node.items.toReversed()) members.set(keyOf(pair), pair);
      } else if (isSeq<ParsedNode>(node)) {
        for (const [index, value] of node.items.entries()) members.set(String(index), { value });
      }
      this.memberMaps.set(node, members);
    }
    return members;
  }

  private resolved(node: ParsedNode | null): ParsedNode | null {
    return isAlias(node) ? (this.targets.get(node) ?? null) : node;
  }
}

/** The key of a pair as text. */
export function keyOf({ key }: Pair<ParsedNode, ParsedNode | null>): string {
  return isScalar(key) ? String(key.value) : '';
}
