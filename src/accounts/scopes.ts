/** The APIs a key may be limited to and a plan may lack. */
export const SCOPES = ['reference', 'listings', 'market', 'analytics', 'projects', 'official', 'exports'] as const;
export type Scope = (typeof SCOPES)[number];

/** Reached by any data key, whatever its scopes. */
export const OPEN_SCOPES: readonly Scope[] = ['reference', 'official'];
