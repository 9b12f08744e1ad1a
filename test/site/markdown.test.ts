import { readGuides } from '#site/server/guide-pages.ts';
import { renderMarkdown } from '#src/documents/markdown.ts';
import { textOfMarkup } from '#test/markup.ts';
import { test } from '#test/test.ts';

const body = (text: string): string => renderMarkdown(text).body.markup;

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

test('an address in a text ends before Arabic punctuation', (t) => {
  for (const sign of ['،', '؛', '؟', '»', '.', ')'])
    t.regex(body(`رابط https://a.example/x${sign} ثم نص`), /href="https:\/\/a\.example\/x"/, sign);
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
