/** The first of these that a character class accepts stands for it. */
const CHARACTERS = [
  ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  ...'-_.:/@#+=,;!?*~^$%&|()[]{}<>"\'`\\ \n\täÄ中',
];
/** How often what may be repeated is, beyond what it must. */
const EXTRA = [0, 1, 3, 10];

/**
 * Texts that most likely match a regular expression (JavaScript, flag u), short ones first. Lookarounds and back
 * references are not looked at, so the caller has to try them.
 */
export function patternExamples(pattern: string): string[] {
  return EXTRA.map((extra) => new Example(pattern, extra).alternatives());
}

/** One walk along a pattern. */
class Example {
  private at = 0;

  constructor(
    private readonly source: string,
    private readonly extra: number,
  ) {}

  /** An example of the first alternative, up to the end of the group. */
  alternatives(): string {
    const first = this.sequence();
    while (this.take(/\|/y)) this.sequence();
    return first;
  }

  private sequence(): string {
    let text = '';
    while (this.at < this.source.length && !/[|)]/.test(this.source[this.at]!)) text += this.repeated();
    return text;
  }

  private repeated(): string {
    const atom = this.atom();
    const quantifier = this.take(/(?:[?*+]|\{(\d+)(,?)(\d*)\})\??/y);
    if (!quantifier) return atom;
    const [sign, least, comma, most] = quantifier;
    if (least === undefined)
      return atom.repeat(
        sign.startsWith('?') ? Math.min(this.extra, 1) : Math.max(Number(sign.startsWith('+')), this.extra),
      );
    const max = comma === '' ? Number(least) : most === '' ? Infinity : Number(most);
    return atom.repeat(Math.min(Number(least) + this.extra, max, 1_000));
  }

  private atom(): string {
    if (this.take(/\(\?<?[=!]/y)) {
      this.alternatives();
      this.at++;
      return '';
    }
    if (this.take(/\((?:\?:|\?<\w+>)?/y)) {
      const text = this.alternatives();
      this.at++;
      return text;
    }
    if (this.take(/\^|\$|\\[bB]/y)) return '';
    const one = this.take(
      /\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\dA-Fa-f]{4}|\\x[\dA-Fa-f]{2}|\\c\w|\\.|[^]/uy,
    )!;
    const accepts = new RegExp(`^${one[0]}$`, 'u');
    return CHARACTERS.find((character) => accepts.test(character)) ?? written(one[0]);
  }

  private take(token: RegExp): RegExpExecArray | null {
    token.lastIndex = this.at;
    const found = token.exec(this.source);
    if (found !== null) this.at += found[0].length;
    return found;
  }
}

/** The character that a token stands for: itself, or that with the code in hexadecimal digits. */
function written(token: string): string {
  const code = /^\\(?:u\{|u|x)([\dA-Fa-f]+)\}?$/.exec(token);
  return code === null ? token.replace('\\', '') : String.fromCodePoint(Number.parseInt(code[1]!, 16));
}
