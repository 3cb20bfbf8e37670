import { parseDocument, type ParsedNode } from 'yaml';
import type { YamlPath } from './yaml-insert';
import { endOf, lineEnding, lineStart, nextLine, splice } from './yaml-source';

/** The comments of an item of a list: whole lines above it, and what stands behind it. */
interface Comments {
  above: string[];
  /** With the space before it; empty for none. */
  behind: string;
}

/** The comments of the item at `path`; none where items do not stand on lines of their own. */
export function commentsOf(text: string, path: YamlPath): Comments {
  const place = placeOf(text, path);
  if (place === undefined) return { above: [], behind: '' };
  const above: string[] = [];
  let start = place.start;
  while (start > 0) {
    const line = text.slice(lineStart(text, start - 1), start);
    if (!/^[ \t]*#/.test(line)) break;
    above.unshift(line.trim());
    start -= line.length;
  }
  return { above, behind: /^[ \t]+#.*/.exec(text.slice(place.end))?.[0].trimEnd() ?? '' };
}

/** The text with these comments at the item at `path`, where it stands on lines of its own and has none behind it. */
export function withComments(text: string, path: YamlPath, { above, behind }: Comments): string {
  const place = placeOf(text, path);
  if (place === undefined) return text;
  const lines = above.map((line) => `${' '.repeat(place.column)}${line}${lineEnding(text)}`);
  const isLast = text.slice(place.end, nextLine(text, place.end)).trim() === '';
  return splice(text, [
    { start: place.start, end: place.start, text: lines.join('') },
    { start: place.end, end: place.end, text: isLast ? behind : '' },
  ]);
}

/** Where an item of a block list starts, at the beginning of its line, and where it ends. */
function placeOf(text: string, path: YamlPath): { start: number; end: number; column: number } | undefined {
  const node = parseDocument(text).getIn(path, true) as ParsedNode | undefined;
  if (!node?.range) return undefined;
  const start = lineStart(text, node.range[0]);
  const dash = /^( *)- +$/.exec(text.slice(start, node.range[0]));
  return dash === null ? undefined : { start, end: endOf(node), column: dash[1].length };
}
