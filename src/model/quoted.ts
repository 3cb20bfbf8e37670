import { closest } from '../../templates/runtime/model/suggest';
import type { Json } from './project';

/** Characters that nobody sees, or that turn the direction of text; JSON leaves them as they are. */
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
/** The other controls without the tab, which a terminal would obey. */
const CONTROLS = /[\u0000-\u0008\u000a-\u001f]/g;
/** The number of characters of a value that messages show. */
const LENGTH = 60;

/** A value from a file as text: what is no text already as JSON. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A value from a file as a message shows it: in quotes, escaped, cut when it is long. */
export function quoted(value: Json): string {
  const text = textOf(value);
  const characters = [...text];
  const shown = characters.length > LENGTH ? `${characters.slice(0, LENGTH).join('')}…` : text;
  return escapeUnseen(JSON.stringify(shown));
}

/** A line of a file as a problem shows it: every character keeps its column. */
export function visible(line: string): string {
  return line.replace(CONTROLS, '\ufffd').replace(UNSEEN, '\ufffd');
}

/** Returns JSON with the characters escaped that nobody sees, or that turn the direction of text. */
export function escapeUnseen(json: string): string {
  return json.replace(UNSEEN, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Comparing with more names than this takes long, and listing them helps nobody. */
const MANY = 200;
const SHOWN = 20;
/** No valid name is longer. */
const LONGEST = 253;

/** The hint for an unknown name: the known one that was likely meant, else the other hint. */
export function didYouMean(
  name: string,
  known: Iterable<string>,
  otherwise?: string,
  show: (name: string) => string = quoted,
): string | undefined {
  const candidates = [...known].slice(0, MANY).filter(({ length }) => length <= LONGEST);
  const near = closest(name, candidates);
  return near === undefined ? otherwise : `did you mean ${show(near)}?`;
}

/** Names in a row, at most twenty. */
export function listed(names: Iterable<string>, separator = ', '): string {
  const all = [...names];
  return (all.length > SHOWN ? [...all.slice(0, SHOWN), '…'] : all).join(separator);
}
