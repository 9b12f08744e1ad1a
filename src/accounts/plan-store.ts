import { RequestError } from '#domain/errors.ts';
import { monthOf, monthStart } from '#domain/months.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';
import { type LockedChange, recordAudit } from './audit.ts';
import { changeOrganization } from './organization-store.ts';

const PLAN = {
  name: sql.text,
  rank: sql.integer,
  current: sql.boolean,
  /** Whether limits or a term were agreed with the organization. */
  agreed: sql.boolean,
};

const plansOf = (db: Queryable, organizationId: number) =>
  sql.queryRows(
    db,
    PLAN,
    `select p.name, p.rank, p.name = o.plan as current,
            o.term_ends_at is not null or num_nonnulls(o.units_per_minute, o.units_per_month, o.page_size, o.paging_depth,
              o.active_keys, o.projects) > 0 as agreed
       from organizations o cross join plans p where o.id = $1 order by p.rank`,
    [organizationId],
  );

export interface PlanChange {
  /** `requested`: the operator decides. `unchanged`: the plan remains, and no change is scheduled. */
  status: 'scheduled' | 'requested' | 'unchanged';
  from: Date | null;
}

/**
 * Schedules a smaller plan for the next month, and records the request for a larger one. The current plan cancels a
 * scheduled change.
 * @throws RequestError invalid_value; conflict if terms were agreed with the organization
 */
export async function choosePlan(
  change: LockedChange,
  organizationId: number,
  plan: string,
  now: Date,
): Promise<PlanChange> {
  const plans = await plansOf(change.db, organizationId);
  const wanted = plans.find(({ name }) => name === plan);
  const current = plans.find((each) => each.current);
  if (!wanted || !current)
    throw new RequestError('invalid_value', {
      param: 'plan',
      message: `\`plan\` must be one of ${plans.map(({ name }) => name).join(', ')}.`,
    });
  if (wanted.rank > current.rank) {
    await recordAudit(change, organizationId, 'organization.plan_requested', null, { plan });
    return { status: 'requested', from: null };
  }
  if (current.agreed && wanted !== current)
    throw new RequestError('conflict', {
      message:
        'Limits or a term were agreed for this organization. Its plan is changed by the operator of the service.',
    });
  const from = wanted === current ? null : new Date(monthStart(monthOf(now) + 1));
  await changeOrganization(change, organizationId, { next_plan: from && plan, next_plan_from: from });
  return { status: from ? 'scheduled' : 'unchanged', from };
}
