/** Reasons why a node cannot serve. They name no index and no host, because anyone can read them. */
export const READINESS_REASONS = [
  'opensearch_unavailable',
  'index_lost',
  'postgres_unavailable',
  'postgres_read_only',
] as const;
type ReadinessReason = (typeof READINESS_REASONS)[number];

/** Milliseconds for which all probes of a process share one verdict. */
export const READINESS_MS = 1_000;

/** The first problem of each store that prevents reads; null if there is none. */
export interface Readiness {
  opensearch: Extract<ReadinessReason, 'opensearch_unavailable' | 'index_lost'> | null;
  postgres: Extract<ReadinessReason, 'postgres_unavailable' | 'postgres_read_only'> | null;
}
