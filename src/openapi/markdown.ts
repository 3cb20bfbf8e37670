/**
 * A code span, the start of a possible HTML tag, a link that runs a script. A URL in angle brackets is a link, and stays
 * one.
 */
const HARMFUL =
  /(`+)([^]*?)\1|<(?=[a-z/!?])(?!https?:(?![^<>]*\bon[a-z]+\s*=))|\]\((?=\s*javascript:)|\b(?:href|src)\s*=(?=\s*["']?\s*javascript:)/gi;

/** Constructs that tools take for a script wherever they stand, code spans included. */
const ACTIVE = /<script\b|<[a-z][^<>]*\bon[a-z]+\s*=|(?:\]\(\s*|\b(?:href|src)\s*=\s*["']?\s*)javascript:/i;

/**
 * Returns a string of project.yaml as Markdown, which OpenAPI descriptions are in: HTML tags and scripts are shown as they
 * were written.
 */
export function asMarkdown(text: string): string {
  const shown = escaped(text, (span) => span);
  return ACTIVE.test(shown) ? escaped(text, (_, code) => `<code>${entities(code.trim())}</code>`) : shown;
}

function escaped(text: string, codeSpan: (span: string, code: string) => string): string {
  return text.replace(HARMFUL, (part: string, fence: string | undefined, code: string) =>
    fence === undefined ? part.replace(/[<(=]/, entities) : codeSpan(part, code),
  );
}

/** Every character that Markdown or HTML might read, as an entity. */
function entities(text: string): string {
  const named: { [character: string]: string } = { '<': '&lt;', '>': '&gt;', '&': '&amp;' };
  return text.replace(/[!-/:-@[-`{-~]/g, (character) => named[character] ?? `&#${character.charCodeAt(0)};`);
}
