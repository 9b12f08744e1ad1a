import { foldText } from '#domain/fold.ts';

/**
 * Splits a text into the words that the search of the documentation compares: folded, without the Arabic article and
 * without regular endings. The parts of a name such as `rate_limited` are words too. Runs on the server and in the
 * browser, so that both compare the same words. Pure.
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

const SYNONYMS = new Map(
  Object.entries({
    paging: 'pagination',
    pricing: 'cost billing',
    units: 'quota',
    sdks: 'client library',
    webhooks: 'callback',
    assistants: 'mcp',
    versioning: 'deprecation',
    الصفحات: 'ترقيم',
    الأسعار: 'تكلفة فوترة',
    مكتبات: 'عميل',
    الإصدارات: 'إهمال',
  }).map(([word, others]) => [searchWords(word)[0] ?? '', searchWords(others)]),
);
