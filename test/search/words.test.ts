import { readFileSync } from 'node:fs';
import test from 'ava';
import { foldText } from '#domain/text/fold.ts';
import { compileWords, lightStem } from '#search/words.ts';
import { ownIndexes } from './own-indexes.ts';

const LINES = readFileSync(new URL('../../index-templates/words.txt', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => foldText(line.replace(/#.*/, '')))
  .filter(Boolean);
const WORDS = LINES.map((line) => line.split(', '));
const ARABIC_FORMS = WORDS.flat().filter((form) => /[\u0621-\u064a]/.test(form));

const own = ownIndexes();
test.after.always(() => own.remove());

test('all forms of a listed word are one word, behind attached letters too, and no two words are', async (t) => {
  const { alias } = await own.open();
  const wordOf = new Map(WORDS.flatMap((forms) => forms.map((form) => [form, forms[0] as string])));
  for (const prefix of ['', 'ال', 'ب', 'ول', 'وبال']) {
    const spellings = new Map<string, string>();
    for (const form of prefix === '' ? wordOf.keys() : ARABIC_FORMS) {
      // A listed word that only looks as if it had a prefix is left alone.
      if (prefix === '' || !wordOf.has(prefix + form)) spellings.set(prefix + form, wordOf.get(form) as string);
    }
    const tokens = await analyze(alias, { analyzer: 'arabic_english', text: [...spellings.keys()].join(' ') });
    t.is(tokens.length, spellings.size);
    const wrong = [...spellings].map(([spelling, word], at) => ({ spelling, word, token: tokens[at] }));
    t.deepEqual(
      wrong.filter(({ word, token }) => word !== token),
      [],
    );
  }
});

test('the light stemmer is the engine’s', async (t) => {
  const endings = ['', 'ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي', 'يات'];
  const prefixes = ['', 'ال', 'وال', 'بال', 'كال', 'فال', 'لل', 'و', 'وو'];
  const spellings = ARABIC_FORMS.map((form, at) => {
    return prefixes[at % prefixes.length] + form.slice(0, 1 + (at % 7)) + endings[at % endings.length];
  });
  const filter = [{ type: 'stemmer', language: 'arabic' }];
  const tokens = await analyze(undefined, { tokenizer: 'whitespace', filter, text: spellings.join(' ') });
  t.deepEqual(tokens, spellings.map(lightStem));
});

test('a form on two lines is refused by its name', (t) => {
  t.throws(() => compileWords(['دور, ادوار', 'ادوار']), { message: /words\.txt: "ادوار"/ });
  t.throws(() => compileWords(['مجمع سكني']), { message: /"مجمع سكني"/ });
});

async function analyze(index: string | undefined, body: object): Promise<string[]> {
  const answer = await own.client.indices.analyze({ ...(index && { index }), body });
  return (answer.body.tokens ?? []).map(({ token }) => token);
}
