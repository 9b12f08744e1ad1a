import { indexText } from './index-text.ts';

/**
 * Words that a search ignores, in folded form (alef ا, final ه and ي). The `stop` filter of the index and the `q` parser
 * both use this list. Do not add words that distinguish listings: negations such as "no" and "without" are searched.
 * After a change, run `npm run reindex`.
 */
export const STOP_WORDS: readonly string[] = `
  في من الي علي عن مع او و ثم هذا هذه ذلك التي الذي ان انه هو هي كما قد به بها فيه فيها له لها يا ايضا حيث
  al el a an and are as at be by for from in is it of on or that the this to with
`
  .trim()
  .split(/\s+/);

const stopWords = new Set(STOP_WORDS);
/** Word boundaries of Unicode (UAX 29), which the engine's standard tokenizer follows too. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** The tokens that the engine makes of a text, before it drops stop words and stems. */
function* tokensOf(text: string): Generator<string> {
  for (const { segment, isWordLike } of segmenter.segment(indexText(text).toLowerCase())) {
    if (isWordLike) yield segment.replace(/['’＇]s$/, '');
  }
}

/** Whether anything is left of a word after text analysis. */
export function isSearchable(word: string): boolean {
  for (const token of tokensOf(word)) if (!stopWords.has(token)) return true;
  return false;
}

/** Whether a phrase has a word. Phrases match whole, so stop words count. */
export function hasToken(phrase: string): boolean {
  for (const _ of tokensOf(phrase)) return true;
  return false;
}
