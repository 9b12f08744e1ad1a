/** Why a node cannot serve. It names no index and no host: anyone may read it. */
export const READINESS_REASONS = [
  'opensearch_unavailable',
  'index_lost',
  'postgres_unavailable',
  'postgres_read_only',
] as const;
type ReadinessReason = (typeof READINESS_REASONS)[number];

/** Milliseconds for which all probes of a process share one verdict. */
export const READINESS_MS = 1_000;

/** The first thing that each store lacks to serve reads; null where it lacks nothing. */
export interface Readiness {
  opensearch: Extract<ReadinessReason, 'opensearch_unavailable' | 'index_lost'> | null;
  postgres: Extract<ReadinessReason, 'postgres_unavailable' | 'postgres_read_only'> | null;
}
