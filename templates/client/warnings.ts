/** Returns the texts of `Warning` headers (RFC 9111, section 5.5), in which other characters than ASCII are percent-encoded. */
export function warningsOf(headers: Headers): string[] {
  const warnings = headers.get('Warning') ?? '';
  return [...warnings.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    decoded(text.replace(/\\(.)/g, '$1')),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
