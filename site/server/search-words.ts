import { foldText } from '#domain/fold.ts';

/**
 * Splits a text into the words that the search compares: folded, without the Arabic article and regular endings.
 * `rate_limited` is two words. Pure.
 */
export function searchWords(text: string): string[] {
  const words = foldText(text).match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.flatMap((word) => (/[^_]_[^_]/.test(word) ? [word, ...word.split('_')] : [word])).map(stem);
}

/** Returns the words of a title and their synonyms, which the search ranks like words of the title. Pure. */
export function titleWords(title: string): string[] {
  const words = searchWords(title);
  return [...words, ...words.flatMap((word) => SYNONYMS.get(word) ?? [])];
}

const stem = (word: string): string =>
  word.replace(/^و?(?:بال|كال|ال|لل)(?=\p{L}{2})/u, '').replace(/(?<=\p{L}{3})(?:ات|ين|ون|ه|s)$/u, '');

export interface RankedTopic {
  titleWords: readonly string[];
  words: readonly string[];
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

function rankOf({ titleWords: title, words }: RankedTopic, query: readonly string[]): { found: number; rank: number } {
  let found = 0;
  let rank = 0;
  for (const word of query) {
    const inTitle = title.some((each) => each.startsWith(word));
    if (!inTitle && !words.some((each) => each.startsWith(word))) continue;
    found++;
    rank += inTitle ? 10 : 1;
    if (title.includes(word)) rank += 5;
  }
  // Of titles with the same words, the shorter one is the better match.
  return { found, rank: rank + 1 / (1 + title.length) };
}

const SYNONYMS = new Map(
  Object.entries({
    paging: 'pagination',
    pricing: 'cost billing',
    units: 'quota',
    sdks: 'client library',
    webhooks: 'callback',
    assistants: 'mcp',
    versioning: 'deprecation',
    concepts: 'dedup deduplication duplicates',
    key: 'get signup register',
    الصفحات: 'ترقيم',
    الأسعار: 'تكلفة فوترة',
    مكتبات: 'عميل',
    الإصدارات: 'إهمال',
    المفاهيم: 'تكرار مكرر',
  }).map(([word, others]) => [searchWords(word)[0] ?? '', searchWords(others)]),
);
