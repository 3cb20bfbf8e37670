/** Appends a step to a JSON Pointer (RFC 6901). */
export function below(pointer: string, step: string | number): string {
  if (typeof step === 'number') return `${pointer}/${step}`;
  return `${pointer}/${escapedStep(step)}`;
}

/** Returns a key as a step of a JSON Pointer (RFC 6901, section 3). */
export function escapedStep(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns the key that a step of a JSON Pointer stands for (RFC 6901, section 4). */
export function unescapedStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Returns the keys that a JSON Pointer goes through, unescaped (RFC 6901, section 4). */
export function pointerKeys(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapedStep);
}

/** Returns a JSON Pointer in URI fragment form (RFC 6901, section 6). A lone surrogate has no such form: it is replaced. */
export function toFragment(pointer: string): string {
  return `#${encodeURI(pointer.replace(/\p{Cs}/gu, '\ufffd')).replace(/#/g, '%23')}`;
}

/** Returns the JSON Pointer of a URI fragment; anything else stays. */
export function fromFragment(fragment: string): string {
  if (!fragment.startsWith('#')) return fragment;
  try {
    return decodeURIComponent(fragment.slice(1));
  } catch {
    return fragment.slice(1);
  }
}
