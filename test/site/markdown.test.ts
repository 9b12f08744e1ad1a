import { fillPlaceholders, renderMarkdown } from '#documents/markdown.ts';
import { readGuides } from '#site/server/guides.ts';
import { textOfMarkup } from '#test/markup.ts';
import { test } from '#test/test.ts';

const body = (text: string): string => renderMarkdown(text).body.markup;

test('headings have unique ids in Latin and Arabic script', (t) => {
  const {
    title,
    headings,
    body: html,
  } = renderMarkdown('# Top\n\n## Use `this`\n\n## الطلب الأول\n\n## Twice {#own}\n\n### Twice\n\n### Twice\n');
  t.is(title, 'Top');
  t.deepEqual(
    headings.map(({ id, level }) => `${level} ${id}`),
    ['2 use-this', '2 الطلب-الأول', '2 own', '3 twice', '3 twice-2'],
  );
  t.false(html.markup.includes('<h1'));
  t.regex(html.markup, /<h2 id="own"><a class="anchor" href="#own">Twice<\/a><\/h2>/);
});

test('markup in Markdown is escaped, and only links with safe schemes are rendered', (t) => {
  for (const text of [
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '[x](javascript:alert(1))',
    '[x](JaVaScript:alert(1))',
    '[x](data:text/html,x)',
    '[x](//other.example)',
    '![x](https://other.example/x.png)',
    '[x](https://a.example/"onmouseover="alert(1))',
    '`<script>`',
    '```"><script>\n</code><script>alert(1)</script>\n```',
    '| a |\n|---|\n| <script> |',
    '## <script>alert(1)</script>',
  ])
    t.notRegex(body(text), /<script|<img|href="(javascript|data|\/\/)|onmouseover="/i, text);
  t.regex(
    body('[x](/guides/sync#overlap) [y](https://a.example/?a=1&b=2)'),
    /href="\/guides\/sync#overlap".*href="https:\/\/a\.example\/\?a=1&#38;b=2"/,
  );
});

test('code blocks are left to right and highlighted, and undefined placeholders are rejected', (t) => {
  t.regex(
    body('```sh\necho "1 < 2"\n```'),
    /<div class="code" dir="ltr" data-language="sh"><pre tabindex="0"><code><span class="hljs-built_in">echo<\/span> <span class="hljs-string">&quot;1 &lt; 2&quot;<\/span><\/code><\/pre><\/div>/,
  );
  t.regex(body('```other\n1 < 2\n```'), /<code>1 &#60; 2<\/code>/);
  t.regex(fillPlaceholders('at `{{base_url}}`', { base_url: 'http://a.test' }), /`http:\/\/a\.test`/);
  t.throws(() => fillPlaceholders('{{other}}', {}), { message: /\{\{other\}\} has no value/ });
});

test('code survives highlighting unchanged in every language of the guides', (t) => {
  for (const { source, slug } of readGuides('en'))
    for (const [block, , code = ''] of source.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm))
      t.is(
        textOfMarkup(body(block.replaceAll('{{', '{')).replace(/<p class="code-title".*?<\/p>/, '')).trim(),
        code.replaceAll('{{', '{').trim(),
        slug,
      );
});

test('consecutive code blocks in different programming languages become tabs', (t) => {
  const groups = (text: string): number => body(text).split('<div class="tabs"').length - 1;
  t.is(groups('```js\n1\n```\n\n```python\n1\n```\n'), 1);
  t.regex(
    body('```js\n1\n```\n```python\n1\n```'),
    /role="tab" aria-selected="true">JavaScript<.*aria-selected="false">Python<.*data-label="Python" hidden>/s,
  );
  t.is(groups('```js\n1\n```\n\ntext\n\n```python\n1\n```\n'), 0);
  t.is(groups('```sh\n1\n```\n\n```sh\n2\n```\n'), 0);
  t.is(groups('```sh\n1\n```\n\n```json\n{}\n```\n'), 0);
});
