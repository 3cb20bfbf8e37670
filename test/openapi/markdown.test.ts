import { asMarkdown } from '../../src/openapi/markdown';

test.each<[title: string, given: string, want: string]>([
  ['text and Markdown', 'a < b, *c* & `d`\n\n- e > f', 'a < b, *c* & `d`\n\n- e > f'],
  ['a tag', 'a <b>c</b> <!-- d -->', 'a &lt;b>c&lt;/b> &lt;!-- d -->'],
  ['a tag in a code span', 'for `<b>` and ``<i> ` ``', 'for `<b>` and ``<i> ` ``'],
  [
    'a link',
    '[a](https://b.example/?c=d) <https://e.example>',
    '[a](https://b.example/?c=d) <https://e.example>',
  ],
  ['a script', '<script>alert(1)</script>', '&lt;script>alert(1)&lt;/script>'],
  ['a script in a code span', 'no `<script>`, no `x`', 'no <code>&lt;script&gt;</code>, no <code>x</code>'],
  [
    'Markdown in it',
    '`<script>*a* _b_ &amp;`',
    '<code>&lt;script&gt;&#42;a&#42; &#95;b&#95; &amp;amp&#59;</code>',
  ],
  ['a handler', '<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)>'],
  ['a handler in a code span', '`<img onload=x>`', '<code>&lt;img onload&#61;x&gt;</code>'],
  ['what looks like one in an address', '<https://a.example/?once=1>', '&lt;https://a.example/?once=1>'],
  ['a link that runs a script', '[a]( JavaScript:alert(1))', '[a]&#40; JavaScript:alert(1))'],
  ['an attribute that does', '<a href = "javascript:x">', '&lt;a href &#61; "javascript:x">'],
])('%s', (_, given, want) => {
  expect(asMarkdown(given)).toBe(want);
});
