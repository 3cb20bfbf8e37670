import { isObject } from '../../../templates/runtime/model/schema';
import type { Path } from '../../model/problem';
import type { Json } from '../../model/project';
import { quoted } from '../../model/quoted';
import type { Report, YamlFile } from './yaml-file';

/** A value of a file that knows where it stands. Reading it never fails: what has the wrong shape is empty. */
export class Located {
  private constructor(
    readonly file: YamlFile,
    readonly value: Json | undefined,
    private readonly report: Report,
    private readonly parent: Located | undefined,
    private readonly step: string | number,
  ) {}

  /** The whole file; `report` takes the problems found in it. */
  static root(file: YamlFile, report: Report): Located {
    return new Located(file, file.data, report, undefined, '');
  }

  /** The steps from the root of the file. */
  get path(): Path {
    return this.parent === undefined ? [] : [...this.parent.path, this.step];
  }

  /** True where there is no key, or no value after it. */
  get absent(): boolean {
    return this.value === undefined || this.value === null;
  }

  /** The characters of a value that is written without quotes; undefined for any other. */
  get written(): string | undefined {
    return this.file.written(this.path);
  }

  get isMapping(): boolean {
    return isObject(this.value);
  }

  /** The text here; undefined where there is none. */
  get text(): string | undefined {
    return typeof this.value === 'string' ? this.value : undefined;
  }

  /** The member of a mapping, or the item of a list. */
  get(step: string | number): Located {
    const { value } = this;
    const inside = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    const member = inside ? (value as { [step: string | number]: Json })[step] : undefined;
    return new Located(this.file, member, this.report, this, step);
  }

  /** The members of a mapping, in the order of the file. */
  entries(): [key: string, value: Located][] {
    return isObject(this.value) ? Object.keys(this.value).map((key) => [key, this.get(key)]) : [];
  }

  /** The items of a list. */
  items(): Located[] {
    return Array.isArray(this.value) ? this.value.map((_, index) => this.get(index)) : [];
  }

  /** Reports a problem with the value. */
  problem(message: string, hint?: string): void {
    this.report({ ...this.file.value(this.path), message, hint });
  }

  /** Reports a problem with the key, or with the value's presence. */
  keyProblem(message: string, hint?: string): void {
    this.report({ ...this.file.key(this.path), message, hint });
  }

  /** Returns true where the key stands before that of another value in the same file. */
  isBefore(other: Located): boolean {
    const [one, two] = [this, other].map(({ file, path }) => file.key(path));
    const { line = 0, column = 0 } = one;
    return line === two.line ? column < (two.column ?? 0) : line < (two.line ?? 0);
  }

  /** Where the key stands, for the hint of another problem: `project.yaml:12`. */
  get place(): string {
    const { file, line } = this.file.key(this.path);
    return `${file}:${line}`;
  }
}

/** Returns where each name is declared first. Reports the other places at their key, or at the name as a value. */
export function firstPlaces(
  named: Iterable<readonly [name: string, place: Located]>,
  what: string,
  at: 'key' | 'value',
): Map<string, Located> {
  const first = new Map<string, Located>();
  for (const [name, place] of named) {
    const other = first.get(name);
    if (other === undefined) first.set(name, place);
    else report(place, at, `the ${what} ${quoted(name)} is declared twice`, `the first is at ${other.place}`);
  }
  return first;
}

/** Reports names that differ from an earlier one only by case: file systems and people confuse them. */
export function checkCaseTwins(
  named: Iterable<readonly [name: string, place: Located]>,
  at: 'key' | 'value' = 'key',
): void {
  const first = new Map<string, readonly [string, Located]>();
  for (const [name, place] of named) {
    const twin = first.get(name.toLowerCase());
    if (twin === undefined) first.set(name.toLowerCase(), [name, place]);
    else if (twin[0] !== name) {
      const message = `${quoted(name)} and ${quoted(twin[0])} differ only by case`;
      report(place, at, message, `the other is at ${twin[1].place}`);
    }
  }
}

function report(place: Located, at: 'key' | 'value', message: string, hint: string): void {
  if (at === 'key') place.keyProblem(message, hint);
  else place.problem(message, hint);
}
