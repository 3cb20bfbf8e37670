/** A code span, the start of what may be an HTML tag, a link that runs a script. An address in angle brackets is a link, and stays one. */
const PARTS =
  /(`+)([^]*?)\1|<(?=[a-z/!?])(?!https?:(?![^<>]*\bon[a-z]+\s*=))|\]\((?=\s*javascript:)|\b(?:href|src)\s*=(?=\s*["']?\s*javascript:)/gi;

/** What tools take for a script wherever it stands, in a code span too. */
const ACTIVE = /<script\b|<[a-z][^<>]*\bon[a-z]+\s*=|(?:\]\(\s*|\b(?:href|src)\s*=\s*["']?\s*)javascript:/i;

/**
 * A text of project.yaml as Markdown, which descriptions are in OpenAPI: what would be read as an HTML tag, or would run a
 * script, is shown as it was written.
 */
export function asMarkdown(text: string): string {
  const shown = escaped(text, (span) => span);
  return ACTIVE.test(shown) ? escaped(text, (_, code) => `<code>${entities(code.trim())}</code>`) : shown;
}

function escaped(text: string, codeSpan: (span: string, code: string) => string): string {
  return text.replace(PARTS, (part: string, fence: string | undefined, code: string) =>
    fence === undefined ? part.replace(/[<(=]/, entities) : codeSpan(part, code),
  );
}

/** Every character that Markdown or HTML might read, as an entity. */
function entities(text: string): string {
  const named: { [character: string]: string } = { '<': '&lt;', '>': '&gt;', '&': '&amp;' };
  return text.replace(/[!-/:-@[-`{-~]/g, (character) => named[character] ?? `&#${character.charCodeAt(0)};`);
}
