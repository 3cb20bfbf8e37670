import type { Model, Operation } from './linearizability';

/** The part of a device that the clients of a history write and see; each write makes another one. */
export interface DeviceState {
  name: string;
  message: string | undefined;
  generation: number;
}

export type Input =
  | { action: 'get' }
  /** `expected`: the state whose ETag was sent as If-Match. */
  | { action: 'spec'; name: string; expected?: DeviceState }
  | { action: 'status'; message: string; expected?: DeviceState }
  | { action: 'delete'; expected?: DeviceState };

/** The result of an operation: the device, gone (404), deleted, or a failed condition (412). */
export type Output = DeviceState | 'gone' | 'deleted' | 'unmet';

export type DeviceOperation = Operation<Input, Output>;

/** Texts of clients have no spaces. */
const key = (state: DeviceState | 'gone'): string =>
  state === 'gone' ? state : `${state.generation} ${state.name} ${state.message}`;

/** One device from its creation on. */
export function deviceModel(initial: DeviceState): Model<DeviceState | 'gone', Input, Output> {
  return {
    initial,
    key,
    step(state, input, output) {
      if (state === 'gone') return output === 'gone' || output === undefined ? state : undefined;
      const expected = 'expected' in input ? input.expected : undefined;
      if (expected !== undefined && key(expected) !== key(state))
        return output === 'unmet' || output === undefined ? state : undefined;
      const next = after(state, input);
      if (output === undefined) return next;
      if (next === 'gone') return output === 'deleted' ? next : undefined;
      return typeof output === 'object' && key(output) === key(next) ? next : undefined;
    },
  };
}

function after(state: DeviceState, input: Input): DeviceState | 'gone' {
  switch (input.action) {
    case 'get':
      return state;
    case 'spec':
      return { ...state, name: input.name, generation: state.generation + 1 };
    case 'status':
      return { ...state, message: input.message };
    case 'delete':
      return 'gone';
  }
}
