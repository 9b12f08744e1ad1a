import { readFileSync } from 'node:fs';
import { foldText } from '#domain/fold.ts';
import { lightStem } from '#queries/text/word-rules.ts';
import { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { testConfig } from '#test/env.ts';
import { test } from '#test/test.ts';

const LINES = readFileSync(new URL('../../../index-templates/words.txt', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => foldText(line.replace(/#.*/, '')))
  .filter(Boolean);
const WORDS = LINES.map((line) => line.split(', '));
const ARABIC_FORMS = WORDS.flat().filter((form) => /[\u0621-\u064a]/.test(form));

let client: OpenSearch;
test.before(() => {
  client = new OpenSearch(testConfig().opensearch);
});
test.after(() => client.close());

test('all forms of a listed word match each other, even with attached letters, and different words do not match', async (t) => {
  const alias = client.aliases.listings;
  const wordOf = new Map(WORDS.flatMap((forms) => forms.map((form) => [form, forms[0] as string])));
  const wordOfToken = new Map<string, string>();
  for (const prefix of ['', 'ال', 'ب', 'ول', 'وبال']) {
    // Listed words that only appear to have a prefix are skipped.
    const forms = prefix === '' ? [...wordOf.keys()] : ARABIC_FORMS.filter((form) => !wordOf.has(prefix + form));
    const spellings = forms.map((form) => prefix + form);
    const tokens = await analyze(alias, { analyzer: 'arabic_english', text: spellings.join(' ') });
    t.is(tokens.length, forms.length);
    for (const [at, token] of tokens.entries()) {
      const word = wordOf.get(forms[at] as string) as string;
      const other = wordOfToken.get(token) ?? word;
      if (other !== word) t.fail(`${spellings[at]} of ${word} is taken for ${other}`);
      wordOfToken.set(token, word);
    }
  }
  t.is(wordOfToken.size, WORDS.length, 'a token a word');
});

test('the light stemmer produces the same stems as the search engine', async (t) => {
  const endings = ['', 'ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي', 'يات'];
  const prefixes = ['', 'ال', 'وال', 'بال', 'كال', 'فال', 'لل', 'و', 'وو'];
  const spellings = ARABIC_FORMS.map((form, at) => {
    return prefixes[at % prefixes.length] + form.slice(0, 1 + (at % 7)) + endings[at % endings.length];
  });
  const filter = [{ type: 'stemmer', language: 'arabic' }];
  const tokens = await analyze(undefined, { tokenizer: 'whitespace', filter, text: spellings.join(' ') });
  t.deepEqual(tokens, spellings.map(lightStem));
});

async function analyze(index: string | undefined, body: object): Promise<string[]> {
  const answer = await client.indices.analyze({ ...(index && { index }), body });
  return (answer.body.tokens ?? []).map(({ token }) => token);
}
