import { quoted } from '../quoted';
import { closest } from '../suggest';

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
