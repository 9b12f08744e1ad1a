import { chunks } from '#domain/chunks.ts';
import type { ListingDisplay } from '#domain/listings/listing.ts';
import type { Clause } from '#queries/clause.ts';
import { parseSearchText, searchTextClause } from '#queries/text/search-text.ts';
import { ADMIN_REQUEST, type OpenSearch } from '../opensearch-client.ts';
import { foldedAd, matcherOf, readAdQueries } from './ads.ts';
import { readPairs } from './pairs.ts';

/** Hits per query that are compared: those with the lowest ids. */
const DEPTH = 100;
const BATCH = 25;
/** Returned queries: those with the largest changes. */
const MOST_CHANGED = 20;

interface Metrics {
  precision: number;
  recall: number;
}

interface ChangedQuery {
  query: string;
  set: string;
  serving: number;
  candidate: number;
  /** Hits that only the serving index returns (`lost`), and only the candidate (`gained`). */
  lost: number;
  gained: number;
}

export type IndexComparison = Awaited<ReturnType<typeof compareRelevance>>;

interface QueryJudgments {
  query: string;
  /** Ids of the relevant listings, and of all compared hits. */
  relevant: ReadonlySet<string>;
  found: ReadonlySet<string>;
}

/** A query and the pattern of relevant texts. Without one, the hits of the serving index count as relevant. */
interface JudgedQuery {
  query: string;
  needs?: readonly string[];
}

/**
 * The patterns of `index-templates/relevance/ad-queries.json` determine the relevant hits of frequent queries; for those of `index-templates/relevance/pairs.tsv`, the hits of
 * the serving index count as relevant.
 */
export async function compareRelevance(client: OpenSearch, serving: string, candidate: string) {
  const pairQueries = new Set(readPairs().map(({ query }) => query));
  const allSets: Readonly<Record<string, readonly JudgedQuery[]>> = {
    'frequent queries': readAdQueries(),
    'queries of pairs': [...pairQueries].map((query) => ({ query })),
  };
  const sets: { set: string; queries: number; serving: Metrics; candidate: Metrics }[] = [];
  const changed: ChangedQuery[] = [];
  for (const [set, queries] of Object.entries(allSets)) {
    const clauses = queries.map(({ query }) => clauseOf(query));
    const [before, after] = await Promise.all(
      [serving, candidate].map((index) => searchListings(client, index, clauses, DEPTH)),
    );
    const judged: QueryJudgments[] = [];
    for (const [at, { query, needs }] of queries.entries()) {
      const [old, fresh] = [before?.[at], after?.[at]];
      if (!old || !fresh || old.hits.length + fresh.hits.length === 0) continue;
      const first = new Set(old.hits.map(({ id }) => id));
      const second = new Set(fresh.hits.map(({ id }) => id));
      const matches = needs && matcherOf(needs);
      const isRelevant = ({ id, display: { title, description, description_en } }: Hit): boolean =>
        matches ? matches(foldedAd([title ?? '', description ?? '', description_en ?? ''])) : first.has(id);
      const relevant = [...old.hits, ...fresh.hits].filter(isRelevant).map(({ id }) => id);
      judged.push({ query, relevant: new Set(relevant), found: new Set([...first, ...second]) });
      const lost = [...first].filter((id) => !second.has(id)).length;
      const gained = [...second].filter((id) => !first.has(id)).length;
      if (lost + gained > 0 || old.total !== fresh.total)
        changed.push({ query, set, serving: old.total, candidate: fresh.total, lost, gained });
    }
    sets.push({
      set,
      queries: judged.length,
      serving: await measure(client, serving, judged),
      candidate: await measure(client, candidate, judged),
    });
  }
  const sizeOf = ({ lost, gained, serving: a, candidate: b }: ChangedQuery): number => lost + gained + Math.abs(a - b);
  changed.sort((a, b) => sizeOf(b) - sizeOf(a));
  const count = async (index: string): Promise<number> => (await client.count({ index })).body.count;
  const documents = { serving: await count(serving), candidate: await count(candidate) };
  return { serving, candidate, documents, sets, changed: changed.slice(0, MOST_CHANGED) };
}

/** Returns the largest decrease in precision or recall of any set. */
export const largestLoss = ({ sets }: IndexComparison): number =>
  Math.max(
    0,
    ...sets.flatMap(({ serving, candidate }) => [
      serving.precision - candidate.precision,
      serving.recall - candidate.recall,
    ]),
  );

const clauseOf = (query: string): Clause => ({ bool: { filter: [searchTextClause(parseSearchText(query))] } });
/** Without a sort, hits would be in disk order, which differs between indexes. */
const SORT = [{ 'filter.id': 'asc' }];

export interface Hit {
  id: string;
  display: ListingDisplay;
}

/** Returns the hits with the lowest ids. @throws Error if the index does not exist */
export async function searchListings(
  client: OpenSearch,
  index: string,
  clauses: readonly Clause[],
  size: number,
): Promise<{ total: number; hits: Hit[] }[]> {
  const found: { total: number; hits: Hit[] }[] = [];
  for (const part of chunks(clauses, BATCH)) {
    const bulkBody = part.flatMap((query) => {
      const fields = ['title', 'headline', 'description', 'description_en'].map((name) => `display.${name}`);
      return [{}, { size, sort: SORT, track_total_hits: true, _source: fields, query }];
    });
    type SearchResponse = { total: { value: number }; hits: { _id: string; _source: { display: ListingDisplay } }[] };
    type Answer = { responses: ({ hits: SearchResponse; error?: undefined } | { error: { reason: string } })[] };
    const { responses } = await client.send<Answer>('POST', `/${encodeURIComponent(index)}/_msearch`, {
      bulkBody,
      ...ADMIN_REQUEST,
    });
    for (const response of responses) {
      if (response.error) throw new Error(`${index}: ${response.error.reason}`);
      const { total, hits } = response.hits;
      found.push({ total: total.value, hits: hits.map(({ _id, _source }) => ({ id: _id, display: _source.display })) });
    }
  }
  return found;
}

/** Returns the mean precision and recall, by `rank_eval`. */
async function measure(client: OpenSearch, alias: string, judged: readonly QueryJudgments[]): Promise<Metrics> {
  if (judged.length === 0) return { precision: 1, recall: 1 };
  // Ratings must contain the name of the index instead of its alias.
  const { body: indexes } = await client.indices.getSettings({ index: alias, flat_settings: true });
  const [index = alias] = Object.keys(indexes);
  const requests = judged.map(({ query, relevant, found }, at) => ({
    id: String(at),
    request: { query: clauseOf(query), sort: SORT },
    ratings: [...found].map((id) => ({ _index: index, _id: id, rating: relevant.has(id) ? 1 : 0 })),
  }));
  const score = async (metric: string): Promise<number> => {
    const body = { requests, metric: { [metric]: { k: DEPTH, relevant_rating_threshold: 1 } } };
    type Answer = { metric_score: number; failures: Record<string, unknown> };
    const answer = await client.send<Answer>('POST', `/${index}/_rank_eval`, { body, ...ADMIN_REQUEST });
    const { metric_score: value, failures } = answer;
    const [failure] = Object.values(failures);
    if (failure !== undefined) throw new Error(`rank_eval of ${index}: ${JSON.stringify(failure).slice(0, 300)}`);
    return value;
  };
  return { precision: await score('precision'), recall: await score('recall') };
}
