import { RE2Set } from 're2js';
import { linearPattern as translated } from '../src/pattern/pattern';
import { beginValidation } from '../templates/runtime/model/rules/pattern-steps';
import { linearPattern } from '../templates/runtime/model/rules/patterns';

// `npx tsx bench/patterns.ts`: the time of one match, in nanoseconds, by the linear engine that
// services use and by the engine of JavaScript.

const CASES: [pattern: string, texts: string[]][] = [
  ['^[A-Z]{2}-\\d{4,6}$', ['AB-12345', 'ab-1', 'XY-999999', 'AB-12345x']],
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', ['my-device-name-1', 'a', 'bad-', 'x'.repeat(63)]],
  ['^\\S+@\\S+$', ['user@example.com', 'user example']],
  [
    '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    ['123e4567-e89b-12d3-a456-426614174000', 'nope'],
  ],
  ['^[0-9a-f]{64}$', ['a1'.repeat(32), 'b'.repeat(63), 'c'.repeat(65)]],
  ['^\\p{Lu}[\\p{L}\\p{N} ]{0,99}$', ['Äpfel und Birnen 12', 'apples', 'A'.repeat(99)]],
  ['^[^\\u0000]*$', ['x'.repeat(10_000)]],
];
const ROUNDS = 5;

function nanoseconds(texts: string[], matches: (text: string) => boolean): number {
  const count = Math.ceil(3_000_000 / texts.join('').length);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = process.hrtime.bigint();
    for (let index = 0; index < count; index++) matches(texts[index % texts.length]);
    return Number(process.hrtime.bigint() - start) / count;
  });
  return Math.min(...rounds);
}

for (const [pattern, texts] of CASES) {
  const native = new RegExp(pattern, 'u');
  const linear = linearPattern(RE2Set, translated(pattern));
  const of = (text: string): boolean => {
    beginValidation(Infinity);
    return linear.test(text);
  };
  const [one, other] = [nanoseconds(texts, of), nanoseconds(texts, (text) => native.test(text))];
  console.log(`${pattern.padEnd(64)} ${one.toFixed(0)} ns, ${(one / other).toFixed(1)} × JavaScript`);
}
