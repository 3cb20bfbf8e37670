import fc from 'fast-check';
import { HttpProblem } from '../../../templates/runtime/model/problem';
import {
  matches,
  parseLabel,
  parseSelector,
  type Requirement,
} from '../../../templates/runtime/model/selectors/selector';
import { outcome } from '../support/outcome';

const is = (key: string, ...values: string[]): Requirement => ({ key, operator: 'in', values });
const not = (key: string, ...values: string[]): Requirement => ({ key, operator: 'notin', values });
const exists = (key: string): Requirement => ({ key, operator: 'exists', values: [] });
const absent = (key: string): Requirement => ({ key, operator: 'absent', values: [] });

describe('label selectors', () => {
  it.each<[string, Requirement[] | 400]>([
    ['', []],
    ['  \t', []],
    ['env', [exists('env')]],
    ['!env', [absent('env')]],
    ['! env', [absent('env')]],
    ['env=prod', [is('env', 'prod')]],
    ['env==prod', [is('env', 'prod')]],
    ['env!=prod', [not('env', 'prod')]],
    [' env = prod ', [is('env', 'prod')]],
    ['env=prod,tier!=db', [is('env', 'prod'), not('tier', 'db')]],
    ['env , !tier', [exists('env'), absent('tier')]],
    ['env in (a,b)', [is('env', 'a', 'b')]],
    ['env in(a)', [is('env', 'a')]],
    ['env notin ( a , b )', [not('env', 'a', 'b')]],
    ['env in (a,a,b)', [is('env', 'a', 'b')]],
    ['env in (a,b),tier notin (c),x', [is('env', 'a', 'b'), not('tier', 'c'), exists('x')]],
    ['example.com/role=web', [is('example.com/role', 'web')]],
    ['env=', [is('env', '')]],
    ['env==,x', [is('env', ''), exists('x')]],
    ['env!=', [not('env', '')]],
    ['env in (,)', [is('env', '')]],
    ['env in (a,)', [is('env', 'a', '')]],
    ['in', [exists('in')]],
    ['in in (in,notin)', [is('in', 'in', 'notin')]],
    ['notin=in', [is('notin', 'in')]],
    ['!in', [absent('in')]],
    ['ключ=зна"чение', [is('ключ', 'зна"чение')]],
    ['a.b_c-d=1:2/3', [is('a.b_c-d', '1:2/3')]],
    ['__proto__=x,constructor', [is('__proto__', 'x'), exists('constructor')]],
    [',', 400],
    ['env,', 400],
    [',env', 400],
    ['env,,tier', 400],
    ['=prod', 400],
    ['!', 400],
    ['!!env', 400],
    ['!env=prod', 400],
    ['env prod', 400],
    ['env=prod db', 400],
    ['env=a=b', 400],
    ['env===a', 400],
    ['env!a', 400],
    ['env=!a', 400],
    ['env in', 400],
    ['env in a', 400],
    ['env in ()', 400],
    ['env in (a', 400],
    ['env in (a b)', 400],
    ['env in (a))', 400],
    ['env in (a) b', 400],
    ['env in ((a))', 400],
    ['env IN (a)', 400],
    ['env is (a)', 400],
    ['(env)', 400],
    ['env>1', 400],
    ['env<1', 400],
    ['env=>1', 400],
  ])('%j', (text, want) => {
    expect(outcome(() => parseSelector(text))).toEqual(want);
  });

  it.each([
    ['env=prod,=x', 'Label selector, position 10: expected a label key, found "=".'],
    ['env in (a', 'Label selector, position 10: expected ")", found the end.'],
    ['a b', 'Label selector, position 3: expected "," or the end, found "b".'],
    ['a in ()', 'Label selector, position 7: expected a value, found ")".'],
  ])('%j is refused with its place', (text, message) => {
    expect(() => parseSelector(text)).toThrow(new HttpProblem(400, message));
  });

  it('reads back what is written, and matches as it says', () => {
    const word = fc.stringMatching(/^[a-z0-9./_-]{1,8}$/);
    const labels = fc.dictionary(word, word, { noNullPrototype: true });
    fc.assert(
      fc.property(labels, word, word, (given, key, value) => {
        const held = Object.hasOwn(given, key) ? given[key] : undefined;
        const check = (text: string): boolean => matches(given, parseSelector(text));
        expect(check(`${key}=${value}`)).toBe(held === value);
        expect(check(`${key}!=${value}`)).toBe(held !== value);
        expect(check(`${key} in (${value},x)`)).toBe(held === value || held === 'x');
        expect(check(`${key} notin (${value})`)).toBe(held !== value);
        expect(check(key)).toBe(held !== undefined);
        expect(check(`!${key}`)).toBe(held === undefined);
        const all = Object.entries(given).map(([name, text]) => `${name}=${text}`);
        expect(check(all.join(','))).toBe(true);
      }),
    );
  });
});

describe('the short form', () => {
  it.each<[string, Requirement | 400]>([
    ['env=prod', is('env', 'prod')],
    ['env', exists('env')],
    ['env=', is('env', '')],
    ['env=a=b', is('env', 'a=b')],
    ['env=a,b (c)', is('env', 'a,b (c)')],
    ['my key=x', is('my key', 'x')],
    ['!env', exists('!env')],
    ['', 400],
    ['=prod', 400],
  ])('%j', (text, want) => {
    expect(outcome(() => parseLabel(text))).toEqual(want);
  });
});
