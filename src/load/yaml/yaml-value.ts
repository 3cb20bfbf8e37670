import { isAlias, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from 'yaml';
import type { Json } from '../../model/project';
import { quoted } from '../../model/quoted';
import { keyOf, type Report, type YamlFile } from './yaml-file';

/** The number of values that all aliases of a file may stand for together: ten lines of YAML can stand for billions. */
const MAX_ALIASED = 50_000;
/** The number of characters that they may stand for: a short file can repeat a long string very often. */
const MAX_ALIASED_TEXT = 1024 * 1024;

/**
 * The data of a parsed file. What JSON cannot express, or what is said twice, is reported. Undefined when an alias stands for
 * nothing.
 */
export function readNode(file: YamlFile, report: Report): Json | undefined {
  const reader = new Reader(file, report);
  const data = reader.read(file.root);
  return reader.broken ? undefined : data;
}

class Reader {
  private readonly anchors = new Map<string, ParsedNode>();
  /** The value of each node, with the number of values and characters in it when its aliases are written out. */
  private readonly done = new Map<ParsedNode, { value: Json; size: number; length: number }>();
  private size = 0;
  private length = 0;
  private aliased = 0;
  private aliasedText = 0;
  /** True where an alias stands for nothing. */
  broken = false;

  constructor(
    private readonly file: YamlFile,
    private readonly report: Report,
  ) {}

  read(node: ParsedNode | null): Json {
    if (node === null) return null;
    if (isAlias(node)) return this.alias(node);
    if (node.tag !== undefined && node.tag !== '!')
      this.problem(node, 'tags are not used here', 'remove the tag, or quote the string');
    if (node.anchor) this.anchors.set(node.anchor, node);
    const [size, length] = [this.size++, this.length];
    const value = this.content(node);
    this.done.set(node, { value, size: this.size - size, length: this.length - length });
    return value;
  }

  private content(node: ParsedNode): Json {
    if (isMap<ParsedNode, ParsedNode | null>(node)) return this.mapping(node);
    if (isSeq<ParsedNode>(node)) return node.items.map((item) => this.read(item));
    return isScalar(node) ? this.scalar(node) : null;
  }

  private mapping(node: YAMLMap<ParsedNode, ParsedNode | null>): Json {
    const result: { [key: string]: Json } = {};
    const offsets = new Map<string, number>();
    for (const pair of node.items) {
      const key = keyOf(pair);
      this.length += key.length;
      const first = offsets.get(key);
      if (pair.key.anchor) {
        this.anchors.set(pair.key.anchor, pair.key);
        this.done.set(pair.key, { value: key, size: 1, length: key.length });
      }
      const value = this.read(pair.value);
      if (key === '<<') {
        const hint = 'write the members out, or alias a whole value';
        this.problem(pair.key, 'merge keys are not supported', hint);
      } else if (key === '__proto__') {
        this.problem(pair.key, '"__proto__" cannot be a name', 'choose another name');
      } else if (first !== undefined) {
        const message = `${quoted(key)} is given twice`;
        const { line } = this.file.offset(first);
        this.problem(pair.key, message, `the first is on line ${line}; remove one of them`);
      } else {
        offsets.set(key, pair.key.range[0]);
        result[key] = value;
      }
    }
    return result;
  }

  private scalar(node: ParsedNode & { value?: unknown; source?: string }): Json {
    const { value } = node as { value: null | boolean | number | string };
    this.length += String(value).length;
    if (typeof value !== 'number') return value;
    if (!Number.isFinite(value)) {
      this.problem(node, 'this is not a number that JSON can express', 'quote it to make it a string');
      return 0;
    }
    const isFloat = /[.eE]/.test(String(node.source));
    if (!isFloat && !Number.isSafeInteger(value)) {
      const hint = `the largest is ${Number.MAX_SAFE_INTEGER}; quote it to make it a string`;
      this.problem(node, 'this integer is too large to be stored exactly', hint);
      // One problem is enough: in its place stands what any integer field takes.
      return Math.sign(value) * Number.MAX_SAFE_INTEGER;
    }
    return value;
  }

  private alias(node: ParsedNode & { source: string }): Json {
    const target = this.anchors.get(node.source);
    const found = target && this.done.get(target);
    if (target === undefined || found === undefined) return this.unresolved(node, target !== undefined);
    this.size += found.size;
    this.aliased += found.size;
    this.length += found.length;
    this.aliasedText += found.length;
    if (this.aliased > MAX_ALIASED || this.aliasedText > MAX_ALIASED_TEXT) {
      const what = this.aliased > MAX_ALIASED ? `${MAX_ALIASED} values` : `${MAX_ALIASED_TEXT} characters`;
      if (!this.broken) this.problem(node, `the aliases of this file expand to more than ${what}`);
      this.broken = true;
      return null;
    }
    this.file.targets.set(node, target);
    return found.value;
  }

  private unresolved(node: ParsedNode & { source: string }, isOpen: boolean): null {
    const hint = `set it with &${node.source}, or quote the string if it is meant to start with *`;
    if (isOpen) this.problem(node, `the alias ${quoted(node.source)} contains itself`);
    else this.problem(node, `this alias has no anchor ${quoted(node.source)} above it`, hint);
    this.broken = true;
    return null;
  }

  private problem({ range }: ParsedNode, message: string, hint?: string): void {
    this.report({ ...this.file.offset(range[0]), message, hint });
  }
}
