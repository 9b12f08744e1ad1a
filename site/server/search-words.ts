import { foldText } from '#domain/fold.ts';

/**
 * Splits a text into the words that the search compares: folded, without the Arabic article and regular endings.
 * `rate_limited` is two words. Pure.
 */
export function searchWords(text: string): string[] {
  const words = foldText(text).match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.flatMap((word) => (/[^_]_[^_]/.test(word) ? [word, ...word.split('_')] : [word])).map(stem);
}

/** Returns the words of a query that say something; all if none does: `how much does it cost` is `cost`. Pure. */
export function queryWords(text: string): string[] {
  const words = searchWords(text);
  const telling = words.filter((word) => !FILLERS.has(word));
  return telling.length === 0 ? words : telling;
}

/** The synonyms of a title's words rank like words of the title. Pure. */
export function rankedTopic([title, , , words, keywords]: SearchEntry): RankedTopic {
  const ofTitle = searchWords(title);
  const synonyms = ofTitle.flatMap((word) => SYNONYMS.get(word) ?? []);
  return { titleWords: [...ofTitle, ...synonyms], words: words.split(' '), keywords: keywords.split(' ') };
}

const stem = (word: string): string =>
  word.replace(/^و?(?:بال|كال|ال|لل)(?=\p{L}{2})/u, '').replace(/(?<=\p{L}{3})(?:ات|ين|ون|ه|s)$/u, '');

/** A topic as the browser reads it. The words are those of title, context and text. */
export type SearchEntry = readonly [title: string, context: string, path: string, words: string, keywords: string];

export interface RankedTopic {
  titleWords: readonly string[];
  words: readonly string[];
  /** Words of which the topic is the answer: they rank before those of titles. */
  keywords: readonly string[];
}

/** A topic that lacks words of the query is returned only if no topic has more of them. Best first. Pure. */
export function bestOf<Topic extends RankedTopic>(topics: readonly Topic[], query: readonly string[]): Topic[] {
  const ranked = topics.map((topic) => ({ topic, ...rankOf(topic, query) }));
  const most = Math.max(0, ...ranked.map(({ found }) => found));
  return ranked
    .filter(({ found }) => found > 0 && found === most)
    .sort((one, other) => other.rank - one.rank)
    .map(({ topic }) => topic);
}

function rankOf(topic: RankedTopic, query: readonly string[]): { found: number; rank: number } {
  const { titleWords: title, words, keywords } = topic;
  let found = 0;
  let rank = 0;
  for (const word of query) {
    const inTitle = title.some((each) => each.startsWith(word));
    const isAnswer = keywords.includes(word);
    if (!inTitle && !isAnswer && !words.some((each) => each.startsWith(word))) continue;
    found++;
    rank += isAnswer ? 30 : inTitle ? 10 : 1;
    if (title.includes(word)) rank += 5;
  }
  // Of titles with the same words, the shorter one is the better match.
  return { found, rank: rank + 1 / (1 + title.length) };
}

const FILLERS = new Set(
  searchWords(
    'a an and are can do does for get how i in is it me much my of on or per the there to want what where which with you your ' +
      'أين أريد إلى التي الذي أن أو أي عن على في كم كيف لا ما من هل هو هي متى و',
  ),
);

const SYNONYMS = new Map(
  Object.entries({
    paging: 'pagination',
    units: 'quota',
    sdks: 'client library',
    webhooks: 'callback',
    assistants: 'mcp',
    versioning: 'deprecation',
    concepts: 'dedup deduplication duplicates',
    الصفحات: 'ترقيم',
    مكتبات: 'عميل',
    الإصدارات: 'إهمال',
    المفاهيم: 'تكرار مكرر',
  }).map(([word, others]) => [searchWords(word)[0] ?? '', searchWords(others)]),
);
