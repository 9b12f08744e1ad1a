import type { OpenSearch } from '../client.ts';
import { compareRelevance, type IndexComparison } from './between.ts';

/** Differences of a new index from the serving one, before the alias moves. */
export interface SwapReview {
  serving: string;
  candidate: string;
  documents: { serving: number; candidate: number };
  relevance: IndexComparison;
}

export async function reviewSwap(client: OpenSearch, serving: string, candidate: string): Promise<SwapReview> {
  const count = async (index: string): Promise<number> => (await client.count({ index })).body.count;
  return {
    serving,
    candidate,
    documents: { serving: await count(serving), candidate: await count(candidate) },
    relevance: await compareRelevance(client, serving, candidate),
  };
}
