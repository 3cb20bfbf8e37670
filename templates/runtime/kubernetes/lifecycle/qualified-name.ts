/** A name such as `example.dev/cleanup`: the part before the slash is a subdomain, and may be absent. */
const LABEL = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const QUALIFIED = new RegExp(
  `^(?:(?=[^/]{1,253}/)${LABEL}(?:\\.${LABEL})*/)?(?=.{1,63}$)[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$`,
);

/** The rule of qualified names, for messages. */
export const QUALIFIED_NAME = 'must be a name such as example.dev/cleanup';

/** Returns whether a string has the form of the names of finalizers, labels and annotations. */
export function isQualifiedName(text: string): boolean {
  return QUALIFIED.test(text);
}
