/** An operation of a client: its input, its times in ms, and its result. */
export interface Operation<Input, Output> {
  input: Input;
  /** Undefined when there was no response, or none that shows the outcome: it may have happened, at any time after its call, or never. */
  output: Output | undefined;
  called: number;
  answered: number;
}

/** The behaviour of a single thread, one operation after the other. */
export interface Model<State, Input, Output> {
  initial: State;
  /** The state after an operation, or undefined when that output is not what the operation gives in this state. */
  step(state: State, input: Input, output: Output | undefined): State | undefined;
  /** The same for equal states, and no other. */
  key(state: State): string;
}

/** A call or a response, in a list by time out of which operations are taken and put back. */
interface Entry {
  operation: number;
  isCall: boolean;
  previous: Entry | undefined;
  next: Entry | undefined;
  /** Entry of a call whose result is known. */
  response: Entry | undefined;
}

/**
 * Returns whether there is an order of the operations that agrees with their times and with the model: each takes effect at one
 * moment between its call and its response (Herlihy and Wing). The search is that of Wing and Gong: the first operations that may come
 * next are tried in turn, back to the last choice at a dead end; what is done by then and the state that it led to are
 * remembered, so that no position is searched twice (Lowe).
 */
export function isLinearizable<State, Input, Output>(
  operations: readonly Operation<Input, Output>[],
  model: Model<State, Input, Output>,
): boolean {
  const head = entries(operations);
  let left = operations.filter(({ output }) => output !== undefined).length;
  let state = model.initial;
  const done = new Uint32Array(Math.ceil(operations.length / 32));
  const toggle = (operation: number): void => void (done[operation >>> 5] ^= 1 << (operation & 31));
  const seen = new Set<string>();
  const choices: { call: Entry; before: State }[] = [];
  for (let entry = head.next; left > 0;) {
    if (entry?.isCall === true) {
      const { input, output } = operations[entry.operation];
      const next = model.step(state, input, output);
      if (next !== undefined) {
        toggle(entry.operation);
        const position = `${done.join()} ${model.key(next)}`;
        if (!seen.has(position)) {
          seen.add(position);
          choices.push({ call: entry, before: state });
          state = next;
          take(entry);
          if (output !== undefined) left -= 1;
          entry = head.next;
          continue;
        }
        toggle(entry.operation);
      }
      entry = entry.next;
      continue;
    }
    // This response came, and its operation cannot have happened.
    const choice = choices.pop();
    if (choice === undefined) return false;
    const { call, before } = choice;
    state = before;
    toggle(call.operation);
    putBack(call);
    if (operations[call.operation].output !== undefined) left += 1;
    entry = call.next;
  }
  return true;
}

/** The list, behind a head that is none of it. Of what happens at the same time, calls come first. */
function entries(operations: readonly Operation<unknown, unknown>[]): Entry {
  const all: (Entry & { time: number })[] = [];
  operations.forEach(({ called, answered, output }, operation) => {
    const links = { operation, previous: undefined, next: undefined };
    const response =
      output === undefined ? undefined : { ...links, isCall: false, response: undefined, time: answered };
    all.push({ ...links, isCall: true, response, time: called });
    if (response !== undefined) all.push(response);
  });
  all.sort((a, b) => a.time - b.time || Number(b.isCall) - Number(a.isCall));
  const head: Entry = {
    operation: -1,
    isCall: false,
    response: undefined,
    previous: undefined,
    next: undefined,
  };
  let last = head;
  for (const entry of all) {
    last.next = entry;
    entry.previous = last;
    last = entry;
  }
  return head;
}

function take(call: Entry): void {
  for (const entry of [call, call.response]) {
    if (entry === undefined) continue;
    entry.previous!.next = entry.next;
    if (entry.next !== undefined) entry.next.previous = entry.previous;
  }
}

function putBack(call: Entry): void {
  for (const entry of [call.response, call]) {
    if (entry === undefined) continue;
    entry.previous!.next = entry;
    if (entry.next !== undefined) entry.next.previous = entry;
  }
}
