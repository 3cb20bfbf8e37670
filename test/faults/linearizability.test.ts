import {
  deviceModel,
  type DeviceOperation,
  type DeviceState,
  type Input,
  type Output,
} from './support/device-model';
import { isLinearizable } from './support/linearizability';

const device = (name: string, generation: number, message?: string): DeviceState => ({
  name,
  message,
  generation,
});
const A = device('a', 1);
const B = device('b', 2);
const C = device('c', 2);

const op = (called: number, answered: number, input: Input, output?: Output): DeviceOperation => ({
  input,
  output,
  called,
  answered,
});
const get: Input = { action: 'get' };
const put = (name: string, expected?: DeviceState): Input => ({ action: 'spec', name, expected });
const remove: Input = { action: 'delete' };

const HISTORIES: [name: string, want: boolean, history: DeviceOperation[]][] = [
  ['nothing', true, []],
  ['reads', true, [op(0, 1, get, A), op(0, 1, get, A)]],
  ['a read of what nobody wrote', false, [op(0, 1, get, B)]],
  ['a write that is read', true, [op(0, 1, put('b'), B), op(2, 3, get, B)]],
  ['a write that is not read', false, [op(0, 1, put('b'), B), op(2, 3, get, A)]],
  ['reads before and after it, during it', true, [op(0, 9, put('b'), B), op(1, 2, get, A), op(3, 4, get, B)]],
  [
    'reads after and before it, during it',
    false,
    [op(0, 9, put('b'), B), op(1, 2, get, B), op(3, 4, get, A)],
  ],
  ['two at once, one after the other', true, [op(0, 9, put('b'), device('b', 3)), op(0, 9, put('c'), C)]],
  ['two at once, of which one is lost', false, [op(0, 9, put('b'), B), op(0, 9, put('c'), C)]],
  ['a condition that holds', true, [op(0, 1, put('b', A), B)]],
  ['two with one condition', true, [op(0, 9, put('b', A), B), op(0, 9, put('c', A), 'unmet')]],
  [
    'two with one condition, both met',
    false,
    [op(0, 9, put('b', A), B), op(0, 9, put('c', A), device('c', 3))],
  ],
  ['a condition that should have held', false, [op(0, 1, put('b', A), 'unmet')]],
  [
    'a status beside a spec',
    true,
    [
      op(0, 9, { action: 'status', message: 'm' }, device('b', 2, 'm')),
      op(0, 9, put('b'), B),
      op(10, 11, get, device('b', 2, 'm')),
    ],
  ],
  ['a deletion', true, [op(0, 1, remove, 'deleted'), op(2, 3, remove, 'gone'), op(2, 3, get, 'gone')]],
  ['a deletion by two', false, [op(0, 9, remove, 'deleted'), op(0, 9, remove, 'deleted')]],
  ['one that came back', false, [op(0, 1, remove, 'deleted'), op(2, 3, get, A)]],
  ['no response, and made', true, [op(0, 1, put('b')), op(2, 3, get, A), op(4, 5, get, B)]],
  ['no response, and not made', true, [op(0, 1, put('b')), op(2, 3, get, A), op(4, 5, put('c'), C)]],
  ['no response, made and undone', false, [op(0, 1, put('b')), op(2, 3, get, B), op(4, 5, get, A)]],
];

test.each(HISTORIES)('%s', (_, want, history) => {
  expect(isLinearizable(history, deviceModel(A))).toBe(want);
});

test('a long history of writes that overlap, and the same with one wrong read', () => {
  const history: DeviceOperation[] = [];
  for (let n = 0; n < 1_000; n++) {
    const written = device(`n${n}`, n + 2);
    history.push(op(10 * n, 10 * n + 25, put(written.name), written));
    history.push(op(10 * n + 21, 10 * n + 24, get, written));
  }
  expect(isLinearizable(history, deviceModel(A))).toBe(true);
  const wrong = history.with(1_001, { ...history[1_001], output: A });
  expect(isLinearizable(wrong, deviceModel(A))).toBe(false);
});
