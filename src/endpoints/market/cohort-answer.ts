import type { Answer } from '#http/endpoint.ts';
import type { FilterValues } from '#queries/filters/table.ts';
import { windowOf } from './request.ts';

/** The statistics of a cohort, before it is known who asks. */
export interface CohortStatistics {
  filters: FilterValues;
  /** A JSON object. */
  cachedJson: string;
}

/** The answer: what every question about a cohort is told, and behind it the statistics, byte for byte as they were kept. */
export function cohortAnswer({ filters, cachedJson }: CohortStatistics, now: number, price_basis: string): Answer {
  const head = { cohort: filters, window: windowOf(now), price_source: 'asking', price_basis };
  return {
    body: undefined,
    bytes: [Buffer.from(`{"data":${JSON.stringify(head).slice(0, -1)},${cachedJson.slice(1)}}`)],
  };
}
