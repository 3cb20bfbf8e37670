import { Code, literal, memberName, type Printable } from '../render/literal';

/** The width of a line, as Prettier is set. */
const WIDTH = 110;

/** Names that every object inherits: reading one needs an own-property check. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

/** A call of a function. */
export class Call {
  constructor(
    readonly fn: string,
    readonly args: Expression[],
  ) {}
}

/** A value that stands in the code. */
export class Value {
  constructor(readonly value: Printable) {}
}

/** An expression: code as it is, a call, or a value. */
export type Expression = string | Call | Value;

/** A value as an expression. */
export function value(of: Printable): Value {
  return new Value(of);
}

/** An object of expressions. */
export function record(members: [name: string, expression: Expression][]): Value {
  return new Value(Object.fromEntries(members.map(([name, one]) => [name, new Code(flat(one))])));
}

/** An expression on one line. */
export function flat(expression: Expression): string {
  if (typeof expression === 'string') return expression;
  if (expression instanceof Value) return literal(expression.value, { column: -100_000 });
  return `${expression.fn}(${expression.args.map(flat).join(', ')})`;
}

/** An expression in the form that Prettier gives it. `column` is where it starts, `tail` what follows it. */
export function print(expression: Expression, indent: number, column: number, tail: number): string {
  const short = flat(expression);
  const fits = !short.includes('\n') && column + short.length + tail <= WIDTH;
  if (fits || typeof expression === 'string') return short;
  if (expression instanceof Value) return literal(expression.value, { indent, column, tail });
  const { fn, args } = expression;
  const last = args.at(-1);
  const broken = args.slice(0, -1).some((arg) => flat(arg).includes('\n'));
  if (last instanceof Value && typeof last.value === 'object' && !broken) {
    const head = `${fn}(${args
      .slice(0, -1)
      .map((arg) => `${flat(arg)}, `)
      .join('')}`;
    const start = column + head.length;
    const hugged = literal(last.value, { indent, column: start, tail: tail + 1 });
    if (start + hugged.indexOf('\n') <= WIDTH && hugged.includes('\n')) return `${head}${hugged})`;
  }
  const pad = ' '.repeat(indent + 2);
  const lines = args.map((arg) => `${pad}${print(arg, indent + 2, indent + 2, 1)},\n`);
  return `${fn}(\n${lines.join('')}${' '.repeat(indent)})`;
}

/** Statements of a function, each in the form that Prettier gives it. */
export class Block {
  private statements: string[] = [];

  /** `start expression;`, such as `const x = f(a);`. */
  add(start: string, expression: Expression): void {
    this.statements.push(`${start}${print(expression, 2, 2 + start.length, 1)};`);
  }

  /** A statement as it is. */
  line(text: string): void {
    this.statements.push(text);
  }

  /** What happens under a condition; nothing when the block is empty. */
  when(condition: string, fill: (inner: Block) => void): void {
    const inner = new Block();
    fill(inner);
    if (inner.statements.length === 0) return;
    this.statements.push(`if (${condition}) {\n${inner.text.replace(/^(?=.)/gm, '  ')}\n  }`);
  }

  /** A statement before all others. */
  first(text: string): void {
    this.statements.unshift(text);
  }

  /** Whether a name occurs in it. */
  uses(name: string): boolean {
    return this.statements.some((statement) => occurs(statement, name));
  }

  /** Removes the constants that nothing reads. */
  dropUnused(): void {
    for (let at = this.statements.length - 1; at >= 0; at--) {
      const [, name] = /^const (\w+) = object\(/.exec(this.statements[at]) ?? [];
      if (name === undefined) continue;
      const read = this.statements.some((statement, other) => other !== at && occurs(statement, name));
      if (!read) this.statements.splice(at, 1);
    }
  }

  /** The body of a function. */
  get text(): string {
    return this.statements.map((statement) => `  ${statement}`).join('\n');
  }
}

/** A declaration at the top of a module. */
export function declaration(start: string, expression: Expression): string {
  return `${start}${print(expression, 0, start.length, 1)};`;
}

/** A function of the module. */
export function functionText(name: string, parameters: string[], result: string, body: Block): string {
  const short = `function ${name}(${parameters.join(', ')}): ${result} {`;
  const long = `function ${name}(\n${parameters.map((one) => `  ${one},\n`).join('')}): ${result} {`;
  return `${short.length <= WIDTH ? short : long}\n${body.text}\n}`;
}

function occurs(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w'$]|(?<!\\.\\.)\\.)${name}(?![\\w'])`).test(text.replace(/\$\{/g, '{'));
}

/** A member of an object as an expression. */
export function member(object: string, name: string, use: (helper: string) => string): string {
  if (INHERITED.has(name)) return `${use('own')}(${object}, ${literal(name)})`;
  const key = memberName(name);
  return key === name ? `${object}.${name}` : `${object}[${key}]`;
}

/** Parts as one camel-case identifier: `spec`, `ports[].number` → `specPortsItemNumber`. */
export function camel(...parts: string[]): string {
  const words = parts
    .join(' ')
    .replaceAll('[]', ' item ')
    .replaceAll('{}', ' value ')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const name = words.map((word, i) => (i === 0 ? lowerFirst(word) : upperFirst(word))).join('');
  return /^[0-9]/.test(name) ? `_${name}` : name;
}

/** The first letter large: for the name of a type. */
export function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function lowerFirst(word: string): string {
  return word.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (capitals) => capitals.toLowerCase());
}
