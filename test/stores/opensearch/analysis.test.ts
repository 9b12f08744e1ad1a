import { readFileSync } from 'node:fs';
import { foldText } from '#domain/fold.ts';
import { writeListing } from '#domain/listings/stored-form.ts';
import { FOLDED, indexText } from '#domain/text/index-text.ts';
import { isSearchable, STOP_WORDS, wordsIn } from '#domain/text/stop-words.ts';
import { parseSearchText, searchTextClause } from '#queries/text/search-text.ts';
import { allCodePoints } from '#test/code-points.ts';
import { makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from './own-indexes.ts';

interface AnalysisCase {
  q: string;
  /** The description, or the title and the description. */
  text: string | [string, string];
  match: boolean;
  /** Marks a known failure. Remove the mark once the case passes. */
  known_failure?: true;
}

const CASES = JSON.parse(
  readFileSync(new URL('../../../index-templates/relevance/cases.json', import.meta.url), 'utf8'),
) as readonly AnalysisCase[];

const own = ownIndexes();

/** Whether each case matches. */
let outcomes: boolean[];

test.before(async () => {
  const { alias } = await own.open();
  const lines = CASES.map((item, id) => {
    const [title, description] = typeof item.text === 'string' ? [null, item.text] : item.text;
    return `{"index":{"_id":"${id}"}}\n${writeListing(makeListing({ id, title, description }))}\n`;
  });
  const written = await own.client.transport.request({
    method: 'POST',
    path: `/${alias}/_bulk`,
    querystring: { refresh: 'true' },
    bulkBody: lines.join(''),
  });
  if ((written.body as { errors: boolean }).errors) throw new Error(JSON.stringify(written.body));
  const searches = CASES.flatMap((item, id) => [
    {},
    {
      query: { bool: { filter: [{ ids: { values: [id] } }, searchTextClause(parseSearchText(item.q))] } },
    },
  ]);
  const { body } = await own.client.msearch({ index: alias, body: searches as never });
  outcomes = body.responses.map((response) => {
    if (!('hits' in response)) throw new Error(JSON.stringify(response));
    return response.hits.hits.length === 1;
  });
});
test.after(() => own.remove());

for (const [id, { q, text, match, known_failure }] of CASES.entries()) {
  const title = `${q} ${match ? 'finds' : 'does not find'} ${Array.isArray(text) ? text.join(' / ') : text} (${id})`;
  const body = (t: { is(actual: unknown, expected: unknown): void }): void => t.is(outcomes[id], match);
  if (known_failure) test.failing(title, body);
  else test(title, body);
}

test('queries and names are folded in the same way, and folding is idempotent', (t) => {
  const chars = allCodePoints().match(FOLDED) ?? [];
  const words = chars.map((char) => `با${char}نة`);
  for (const [text, folded] of [
    ['شقة٢٠٠م و3غرف ١٬٥٠٠ و1,234,567 ريال', 'شقه 200 م و 3 غرف 1500 و 1234567 ريال'],
    ['كااااش فاااخره الله ااا أإآا شقة33333 دوووور', 'كاش فاخره الله ا ا شقه 33333 دور'],
    ['صالة_مجلس.مطبخ:حوش a_b a.b 1.5 غرف.3', 'صاله مجلس مطبخ حوش a b a.b 1.5 غرف 3'],
    ['شهرياً شهريا، يوميّاً زوايا العليا بالعليا دنيا', 'شهري شهري، يومي زوايا العليا بالعليا دنيا'],
    ['عبد الله وعبدالعزيز لعبد الرحمن معبد الحي', 'عبدالله وعبدالعزيز لعبدالرحمن معبد الحي'],
    ['ﻻ إله ـــ Ｖｉｌｌａ m²', 'لا اله  villa m2'],
    [words.join(' '), indexText(words.join(' '))],
  ] as const) {
    t.is(indexText(text), folded);
    t.is(indexText(folded), folded);
  }
  for (const char of chars)
    t.is(spaceless(indexText(`a${char}b`)), spaceless(foldText(`a${char}b`)), char.codePointAt(0)?.toString(16));
});

const spaceless = (text: string): string => text.replace(/[\s_]/g, '');

test('a word is searchable exactly if the search engine produces a token for it', async (t) => {
  const { alias } = await own.open();
  const words = "a A it's it’s b ب 3 ٣ * - -pool ـ ½ x² the-a من_في 3-bedroom إلى فِي no بدون title:pool 1.5 ﻻ \u200f";
  for (const word of [...words.split(' '), ...STOP_WORDS]) {
    t.is(isSearchable(word), (await analyze(alias, 'arabic_english', indexText(word))).length > 0, word);
    t.is(wordsIn(word, true) > 0, (await analyze(alias, 'exact', indexText(word))).length > 0, word);
  }
});

async function analyze(index: string, analyzer: string, text: string): Promise<string[]> {
  const { body } = await own.client.indices.analyze({ index, body: { analyzer, text } });
  return (body.tokens ?? []).map(({ token }) => token);
}

test('the search engine and the code read a word with ignorable characters and ligatures as without them', async (t) => {
  const { alias } = await own.open();
  const ignorable = allCodePoints().match(/\p{Default_Ignorable_Code_Point}/gu) ?? [];
  for (const analyzer of ['arabic_english', 'exact']) {
    const expected = await analyze(alias, analyzer, 'موقف fitted');
    t.is(expected.length, 2);
    const text = `مو${ignorable.join('')}قف ${ignorable.join('')}ﬁtted`;
    t.deepEqual(await analyze(alias, analyzer, indexText(text)), expected);
  }
});
