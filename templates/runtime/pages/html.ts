const ENTITIES: { [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a string for the content or a quoted attribute of an HTML page. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

/** Returns whether an Accept header ranks an HTML page above JSON: a browser's does, that of a program rarely. */
export function prefersHtml(accept: string | undefined): boolean {
  const weights = new Map<string, number>();
  for (const range of (accept ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
    weights.set(type, Math.max(weight, weights.get(type) ?? 0));
  }
  return (weights.get('text/html') ?? 0) > (weights.get('application/json') ?? 0);
}
