import type { Json } from './model';

/** Characters that a terminal would obey or hide instead of showing: controls, and those that turn the direction of text. */
const UNSEEN = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
/** More of a text than this says nothing more about what is wrong with it. */
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
  return JSON.stringify(shown).replace(UNSEEN, escaped);
}

/** A line of a file as a problem shows it: every character keeps its column. */
export function visible(line: string): string {
  return line.replace(UNSEEN, '\ufffd');
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
