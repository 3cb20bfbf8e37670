/** A part of a resource that could not be converted and was left out, without its value. */
export interface Unconverted {
  kind: string;
  /** The version that is, or was, the spoke. */
  version: string;
  /** Undefined for a resource that is not stored yet. */
  uid: string | undefined;
  /** Its pointer in the document of that version; undefined where a function threw. */
  pointer?: string;
  /** The rule that could not be applied. */
  rule?: string;
  /** The function of a rule `custom` that threw. */
  function?: string;
  /** The error that it threw. */
  error?: unknown;
}

/** The subject of a conversion. */
export type Subject = Pick<Unconverted, 'kind' | 'version' | 'uid'>;

let listener: (left: Unconverted) => void = (left) => console.error('not converted', left);
let subject: Subject = { kind: '', version: '', uid: undefined };

/** Sets the receiver of reports about failed conversions; by default the console. Conversion continues without it. */
export function onUnconverted(next: (left: Unconverted) => void): void {
  listener = next;
}

/** Converts; reports during the conversion are about `now`. */
export function converting<T>(now: Subject, convert: () => T): T {
  const before = subject;
  subject = now;
  try {
    return convert();
  } finally {
    subject = before;
  }
}

/** Converts the same resource to or from another version. */
export function convertingIn<T>(version: string, convert: () => T): T {
  return converting({ ...subject, version }, convert);
}

/** Reports a failed conversion. */
export function tellUnconverted(what: Omit<Unconverted, keyof Subject>): void {
  listener({ ...subject, ...what });
}

/** Returns the result of a conversion, and the parts that it left out, which are not reported. */
export function collecting<T>(convert: () => T): { result: T; left: Unconverted[] } {
  const left: Unconverted[] = [];
  const before = listener;
  listener = (one) => left.push(one);
  try {
    return { result: convert(), left };
  } finally {
    listener = before;
  }
}

/** Returns whether a pointer is one of others, above one of them or below. */
export function isRelated(pointer: string, others: readonly string[]): boolean {
  return others.some((other) => isWithin(pointer, other) || isWithin(other, pointer));
}

function isWithin(pointer: string, other: string): boolean {
  return pointer.startsWith(other) && (pointer.length === other.length || pointer[other.length] === '/');
}
