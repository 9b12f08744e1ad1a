import { indexText } from '#domain/text/index-text.ts';
import { explainQuery } from '#queries/text/explain.ts';
import { readListedLines, readWordList } from '#queries/text/word-lists.ts';
import { compileWords } from '#queries/text/word-rules.ts';
import { ADMIN_REQUEST, type OpenSearch } from '../opensearch-client.ts';
import { compileTemplates } from '../templates.ts';

/** In characters. */
const MAX_ANALYZED = 2_000;

interface Token {
  token: string;
  position: number;
}

const STEPS: Readonly<Record<string, string>> = {
  english_possessive: "'s removed",
  lowercase: 'lower case',
  stop: 'stop word (domain/text/stop-words.ts)',
  whole_words: 'whole word',
  arabic_stem: 'Arabic stemmer',
  settled_stems: 'listed stem',
  word_stems: 'listed stem',
  english_stem: 'English stemmer',
  english_plural: 'plural removed',
};

/**
 * @param index name or alias whose analyzers are used. Defaults to the files on disk
 * @throws RangeError for a text over the limit
 */
export async function analyzeText(client: OpenSearch, text: string, index?: string) {
  if (text.length > MAX_ANALYZED) throw new RangeError(`The text has more than ${MAX_ANALYZED} characters.`);
  const folded = indexText(text);
  const { filters, definitions } = analyzerOnDisk();
  const analyzer =
    index === undefined ? { tokenizer: 'standard', filter: definitions } : { analyzer: 'arabic_english' };
  const path = index === undefined ? '/_analyze' : `/${encodeURIComponent(index)}/_analyze`;
  const body = { ...analyzer, text: folded, explain: true };
  const { detail } = await client.send<{ detail: Detail }>('POST', path, { body, ...ADMIN_REQUEST });
  const { tokenizer, tokenfilters } = detail;
  const stages = tokenfilters.map(({ name, tokens }, at) => ({
    name: index === undefined ? (filters[at] ?? name) : name,
    tokens: new Map(tokens.map(({ token, position }) => [position, token])),
  }));
  const lineOf = listedLines();
  return {
    text,
    folded,
    tokens: tokenizer.tokens.map((token) => explained(token, stages, lineOf)),
    /** The text read as a query, with the terms that the query builder adds. */
    query: explainQuery(text),
  };
}

interface Detail {
  tokenizer: { tokens: Token[] };
  tokenfilters: { name: string; tokens: Token[] }[];
}

/** `token` is null for a stop word. `why` has the steps that changed the word, and the line of `words.txt` that lists it. */
function explained(
  { token: word, position }: Token,
  stages: readonly { name: string; tokens: ReadonlyMap<number, string> }[],
  lineOf: (word: string) => number | null,
): { word: string; token: string | null; why: string[] } {
  const why: string[] = [];
  let token: string | null = word;
  for (const { name, tokens } of stages) {
    const next: string | null = tokens.get(position) ?? null;
    if (next !== token) why.push(next === null ? (STEPS[name] ?? name) : `${STEPS[name] ?? name}: ${token} → ${next}`);
    token = next;
    if (next === null) break;
  }
  const line = lineOf(word.toLowerCase());
  if (token !== null && line !== null) why.push(`words.txt line ${line}`);
  return { word, token, why: why.length === 0 ? ['unchanged'] : why };
}

/** Filters of the analyzer `arabic_english`, in order. */
function analyzerOnDisk(): { filters: readonly string[]; definitions: readonly unknown[] } {
  const { template } = compileTemplates().analysis as {
    template: {
      settings: {
        analysis: { filter: Record<string, object>; analyzer: Record<'arabic_english', { filter: string[] }> };
      };
    };
  };
  const { filter, analyzer } = template.settings.analysis;
  const filters = analyzer.arabic_english.filter;
  return { filters, definitions: filters.map((name) => filter[name] ?? name) };
}

function listedLines(): (word: string) => number | null {
  const { stemOf } = compileWords(readWordList('words.txt'));
  const lines = new Map<string, number>();
  for (const { number, text } of readListedLines('words.txt'))
    for (const form of text.split(',')) lines.set(stemOf(form.trim()), number);
  return (word) => lines.get(stemOf(word)) ?? null;
}
