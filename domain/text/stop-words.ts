import { indexText } from './index-text.ts';

/**
 * Folded (alef ا, final ه and ي), for the index's `stop` filter and the `q` parser. Do not add words that distinguish
 * listings: negations such as "no" and "without" are searched. After a change, run `npm run reindex`.
 */
export const STOP_WORDS: readonly string[] = `
  في من الي علي عن مع او و ثم هذا هذه ذلك التي الذي ان انه هو هي كما قد به بها فيه فيها له لها يا ايضا حيث
  al el a an and are as at be by for from in is it of on or that the this to with
`
  .trim()
  .split(/\s+/);

const stopWords = new Set(STOP_WORDS);
/**
 * Unicode word boundaries (UAX 29), like the engine's standard tokenizer. On first use, because it loads dictionaries.
 */
let segmenter: Intl.Segmenter | undefined;

function tokensOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  return [...segmenter.segment(indexText(text).toLowerCase())]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment.replace(/['’＇]s$/, ''));
}

/** Returns whether text analysis leaves at least one token. */
export const isSearchable = (word: string): boolean => tokensOf(word).some((token) => !stopWords.has(token));

/** Returns the number of tokens that text analysis leaves. Phrases match as written, so stop words count. */
export const wordsIn = (text: string, phrase: boolean): number =>
  tokensOf(text).filter((token) => phrase || !stopWords.has(token)).length;
