import type { OpenSearch } from '../client.ts';
import { compareIndexes, compareListings, drawSample } from '../reindex/compare.ts';
import { compareRelevance, type IndexComparison } from './between.ts';

/** Number of randomly sampled documents that are compared completely. */
const SAMPLE = 500;

/** Differences of a new index from the serving one, before the alias moves. */
export interface SwapReview {
  serving: string;
  candidate: string;
  documents: {
    /** Number of documents that only the candidate contains. */
    added: number;
    /** Number of documents that the candidate lacks, or contains in an older version. */
    missing: number;
    /** Number of sampled documents whose stored form or indexed fields differ. */
    changed: number;
    sample: number;
  };
  relevance: IndexComparison;
}

/** Compares a new index with the serving one. Concurrent writes may appear as differences. */
export async function reviewSwap(client: OpenSearch, serving: string, candidate: string): Promise<SwapReview> {
  const { missing, surplus } = await compareIndexes(client, serving, candidate);
  const ids = await drawSample(client, serving, SAMPLE, Date.now());
  const changed = ids.length === 0 ? [] : await compareListings(client, serving, candidate, ids);
  return {
    serving,
    candidate,
    documents: { added: surplus.length, missing: missing.length, changed: changed.length, sample: ids.length },
    relevance: await compareRelevance(client, serving, candidate),
  };
}
