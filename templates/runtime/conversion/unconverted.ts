/** Something of a resource that could not be converted and was left out. It holds no value of the resource. */
export interface Unconverted {
  kind: string;
  /** The version that is, or was, the spoke. */
  version: string;
  /** Undefined for what is not stored yet. */
  uid: string | undefined;
  /** Where it is in the document of that version; undefined where a function threw. */
  pointer?: string;
  /** The rule that could not be applied. */
  rule?: string;
  /** The function of a rule `custom` that threw. */
  function?: string;
  /** What it threw. */
  error?: unknown;
}

/** What is being converted. */
export type Subject = Pick<Unconverted, 'kind' | 'version' | 'uid'>;

let listener: (left: Unconverted) => void = (left) => console.error('not converted', left);
let subject: Subject = { kind: '', version: '', uid: undefined };

/** Sets who is told of what could not be converted; the console until then. Conversion goes on without it. */
export function onUnconverted(next: (left: Unconverted) => void): void {
  listener = next;
}

/** Converts, with what is told meanwhile said of `now`. */
export function converting<T>(now: Subject, convert: () => T): T {
  const before = subject;
  subject = now;
  try {
    return convert();
  } finally {
    subject = before;
  }
}

/** Tells of something that could not be converted. */
export function tellUnconverted(what: Omit<Unconverted, keyof Subject>): void {
  listener({ ...subject, ...what });
}

/** What a conversion gives, and what it left out, which nobody else is told. */
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
