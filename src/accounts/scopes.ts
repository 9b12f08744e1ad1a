import { RequestError } from '#domain/errors.ts';
import { component } from '#domain/json-schema.ts';

export const SCOPES = component('Scope', [
  'reference',
  'listings',
  'market',
  'analytics',
  'projects',
  'official',
  'exports',
] as const);
export type Scope = (typeof SCOPES)[number];

/** Scopes of every data key, regardless of its plan. */
export const OPEN_SCOPES: readonly Scope[] = ['reference', 'official'];

/** The lowest plan of each scope. A test compares them with the table `plans`. */
export const FIRST_PLANS: Readonly<Record<Scope, string>> = {
  reference: 'Free',
  listings: 'Free',
  official: 'Free',
  exports: 'Enterprise',
  market: 'Starter',
  analytics: 'Growth',
  projects: 'Pro',
};

export function scopeNotInPlan(scope: Scope, plan: string, param: string | null = null): RequestError {
  const message = `The ${plan} plan does not include the \`${scope}\` scope. The lowest plan that includes it is ${FIRST_PLANS[scope]}.`;
  return new RequestError('scope_not_in_plan', { param, message });
}

export function scopeNotInKey(scope: Scope, own: readonly Scope[], param: string | null = null): RequestError {
  const names = SCOPES.filter((each) => own.includes(each)).map((each) => `\`${each}\``);
  const limits = names.length === 0 ? 'has no scope of your plan' : `is limited to ${names.join(', ')}`;
  const message = `This key ${limits}, and the call requires the \`${scope}\` scope. Create a key that includes it.`;
  return new RequestError('scope_not_in_key', { param, message });
}
