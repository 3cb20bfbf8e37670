import type { JSX } from 'preact';

/** Characters that change how others are shown, or cannot be seen: controls, bidi overrides, lone surrogates. */
export const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Maximum length of a string that is shown at once, in characters. */
const LONGEST = 2_000;

interface TextProps {
  value: string;
  /** Maximum length in characters; the rest is counted. */
  longest?: number;
}

/**
 * Stored text. It keeps its own direction and cannot change that of the text around it; characters that cannot be seen
 * are shown by their codes.
 */
export function Text({ value, longest = LONGEST }: TextProps): JSX.Element {
  const shown = value.length > longest ? value.slice(0, longest) : value;
  const rest = value.length - shown.length;
  return (
    <bdi>
      {visible(shown)}
      {rest > 0 && <span class="soft"> … {rest.toLocaleString('en')} more characters</span>}
    </bdi>
  );
}

function visible(text: string): (string | JSX.Element)[] {
  const parts: (string | JSX.Element)[] = [];
  let start = 0;
  for (const match of text.matchAll(UNSEEN)) {
    if (match.index > start) parts.push(text.slice(start, match.index));
    const code = match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    parts.push(<span class="unseen">U+{code}</span>);
    start = match.index + match[0].length;
  }
  if (start < text.length) parts.push(text.slice(start));
  return parts;
}
