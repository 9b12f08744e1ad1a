/** The APIs that a plan includes and that a key can be limited to. */
export const SCOPES = ['reference', 'listings', 'market', 'analytics', 'projects', 'official', 'exports'] as const;
export type Scope = (typeof SCOPES)[number];

/** Open to any data key, whatever its scopes. */
export const OPEN_SCOPES: readonly Scope[] = ['reference', 'official'];

/** The lowest plan that includes each, for the documentation; what counts is the table of plans. */
export const FIRST_PLANS: Readonly<Record<Scope, string>> = {
  reference: 'Free',
  listings: 'Free',
  official: 'Free',
  exports: 'Enterprise',
  market: 'Starter',
  analytics: 'Growth',
  projects: 'Pro',
};
