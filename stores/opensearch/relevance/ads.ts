import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { foldText } from '#domain/fold.ts';
import type { OpenSearch } from '../opensearch-client.ts';
import { searchTexts } from './texts.ts';

/** A frequent query. A matching ad contains a pattern of each word. */
interface AdQuery {
  query: string;
  needs: string[];
}

const QUERIES = new URL('../../../index-templates/relevance/ad-queries.json', import.meta.url);
/** Arabic prefixes that may be attached to a word. */
const ATTACHED = '(?:و?(?:ال|بال|لل|كال|[بلكف])?)';
const MAX_ADS = 10_000;

/** Reads title and description of the first 10,000 ads. */
export async function readAds(path: string): Promise<string[][]> {
  const ads: string[][] = [];
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (line === '') continue;
    const ad = JSON.parse(line) as Record<string, string | null | undefined>;
    ads.push([ad.title_ar ?? ad.title ?? '', ad.description_ar ?? ad.description ?? '']);
    if (ads.length === MAX_ADS) break;
  }
  return ads;
}

export const readAdQueries = (): AdQuery[] => JSON.parse(readFileSync(QUERIES, 'utf8')) as AdQuery[];

/** Reduces an Arabic letter repeated three times to one. */
export const foldedAd = (ad: readonly string[]): string =>
  foldText(ad.join('\n')).replace(/([\u0621-\u064a])\1{2,}/g, '$1');

export function matcherOf(needs: readonly string[]): (text: string) => boolean {
  const patterns = needs.map((need) => new RegExp(`(?<!\\p{L})${ATTACHED}(?:${need})(?!\\p{L})`, 'u'));
  return (text) => patterns.every((pattern) => pattern.test(text));
}

/** Compares the ads that the engine finds for frequent queries with those that plain patterns match. */
export async function scoreAds(client: OpenSearch, ads: readonly string[][]) {
  const queries = readAdQueries();
  const found = await searchTexts(client, ads, queries);
  const folded = ads.map(foldedAd);
  const sums = { found: 0, answers: 0, both: 0 };
  const scores = queries.map((query, at) => {
    const answers = answering(query, folded);
    const ids = found[at] ?? [];
    const both = ids.filter((id) => answers.has(id)).length;
    sums.found += ids.length;
    sums.answers += answers.size;
    sums.both += both;
    const [precision, recall] = [both / ids.length, both / answers.size];
    return { query: query.query, found: ids.length, answers: answers.size, precision, recall };
  });
  return { ads: ads.length, queries: scores, precision: sums.both / sums.found, recall: sums.both / sums.answers };
}

function answering({ needs }: AdQuery, foldedAds: readonly string[]): Set<string> {
  const matches = matcherOf(needs);
  const answers = new Set<string>();
  for (const [id, ad] of foldedAds.entries()) if (matches(ad)) answers.add(String(id));
  return answers;
}
