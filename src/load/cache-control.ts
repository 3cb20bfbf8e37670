import { didYouMean } from './hints';
import type { Located } from './located';
import { quoted } from '../quoted';

/** The response directives of RFC 9111, section 5.2.2, RFC 5861 and RFC 8246; true for those with a number of seconds. */
const DIRECTIVES: { readonly [name: string]: boolean } = {
  'no-store': false,
  'no-cache': false,
  'no-transform': false,
  public: false,
  private: false,
  immutable: false,
  'must-revalidate': false,
  'proxy-revalidate': false,
  'must-understand': false,
  'max-age': true,
  's-maxage': true,
  'stale-while-revalidate': true,
  'stale-if-error': true,
};

/** The value of the header Cache-Control, its directives separated by `, `; empty for none. */
export function buildCacheControl(place: Located): string {
  const directives = (place.text ?? '').split(',').map((directive) => directive.trim().toLowerCase());
  if (directives.length === 1 && directives[0] === '') return '';
  const names = directives.map((directive) => directive.split('=')[0]);
  directives.forEach((directive, index) => {
    if (names.indexOf(names[index]) < index)
      place.problem(`the directive ${quoted(names[index])} is given twice`);
    else checkDirective(directive, place);
  });
  if (names.includes('public') && names.includes('private')) {
    place.problem('a response cannot be both public and private', 'keep one of the two');
  }
  return directives.join(', ');
}

function checkDirective(directive: string, place: Located): void {
  const [, name, value] = /^([^=]*)(=.*)?$/s.exec(directive)!;
  if (!Object.hasOwn(DIRECTIVES, name)) {
    const known = Object.keys(DIRECTIVES);
    const hint = didYouMean(name, known, `the directives are ${known.join(', ')}`);
    place.problem(`unknown Cache-Control directive ${quoted(name)}`, hint);
  } else if (DIRECTIVES[name] && !/^=\d{1,9}$/.test(value ?? '')) {
    place.problem(`${name} needs a number of seconds`, `write ${name}=60 for example`);
  } else if (!DIRECTIVES[name] && value !== undefined) {
    place.problem(`${name} takes no value`, `write ${name}`);
  }
}
