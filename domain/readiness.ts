/** Reasons contain no index and host names, because the endpoint is public. */
export const READINESS_REASONS = [
  'opensearch_unavailable',
  'index_lost',
  'postgres_unavailable',
  'postgres_read_only',
  'starting',
] as const;
type ReadinessReason = (typeof READINESS_REASONS)[number];

/** All probes of a process share one result. */
export const READINESS_MS = 1_000;

export interface Readiness {
  opensearch: Extract<ReadinessReason, 'opensearch_unavailable' | 'index_lost'> | null;
  postgres: Extract<ReadinessReason, 'postgres_unavailable' | 'postgres_read_only'> | null;
  /** Whether the search engine refuses writes to an index. Reads do not depend on it. */
  isBlocked: boolean;
}
