/** The texts of `Warning` headers (RFC 9111, section 5.5); what is not ASCII stands percent-encoded in them. */
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
