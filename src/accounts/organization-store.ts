import { RequestError } from '#domain/errors.ts';
import {
  arrayOf,
  boolean,
  component,
  integer,
  nullable,
  number,
  object,
  oneOf,
  string,
  timestamp,
  type ValueOf,
} from '#domain/json-schema.ts';
import { unitMonth } from '#domain/months.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable, Transaction } from '#stores/postgres/transaction.ts';
import { type AuditAction, type AuditedChange, type LockedTransaction, recordAudit } from './audit.ts';
import { newId } from './ids.ts';
import { SCOPES } from './scopes.ts';

export const ORGANIZATION = component(
  'Organization',
  object({
    id: string,
    name: string,
    plan: string,
    created_at: timestamp,
    term_ends_at: nullable(timestamp),
    next_plan: nullable(object({ plan: string, from: timestamp })),
    limits: object({
      units_per_minute: nullable(integer),
      units_per_month: nullable(integer),
      page_size: integer,
      paging_depth: integer,
      active_keys: integer,
      projects: integer,
      apis: arrayOf(oneOf(SCOPES)),
    }),
    usage: object({ month: string, units: integer, overage_units: integer }),
    overage: object({ allowed: boolean, sar_per_1000_units: number, spend_cap_sar: number }),
    ip_allowlist: arrayOf(string),
    request_logs: object({ retention_days: integer, details: boolean }),
  }),
);
const ID = { id: sql.integer };

/** Days after which the data of a closed account is deleted. */
export const CLOSED_DAYS = 30;

export async function getOrganization(db: Queryable, id: number, now: Date): Promise<ValueOf<typeof ORGANIZATION>> {
  const found = await sql.queryRow(
    db,
    { record: sql.json<ValueOf<typeof ORGANIZATION>>() },
    `select json_build_object(
        'id', o.public_id, 'name', o.name, 'plan', o.plan,
        'limits', json_build_object(
          'units_per_minute', coalesce(o.units_per_minute, p.units_per_minute),
          'units_per_month', coalesce(o.units_per_month, p.units_per_month),
          'page_size', coalesce(o.page_size, p.page_size),
          'paging_depth', coalesce(o.paging_depth, p.paging_depth),
          'active_keys', coalesce(o.active_keys, p.active_keys),
          'projects', coalesce(o.projects, p.projects),
          'apis', p.scopes),
        'usage', json_build_object(
          'month', $3::text,
          'units', coalesce(c.units, 0),
          'overage_units', greatest(0, coalesce(c.units - coalesce(o.units_per_month, p.units_per_month), 0))),
        'overage', json_build_object(
          'allowed', p.overage and o.spend_cap_sar > 0,
          'sar_per_1000_units', p.overage_sar_per_1000::float8,
          'spend_cap_sar', o.spend_cap_sar::float8),
        'ip_allowlist', o.ip_allowlist::text[],
        'next_plan', case when o.next_plan is not null then
          json_build_object('plan', o.next_plan, 'from', to_char(o.next_plan_from at time zone 'UTC', $4)) end,
        'request_logs', json_build_object('retention_days', o.log_retention_days, 'details', o.log_request_details),
        'created_at', to_char(o.created_at at time zone 'UTC', $4),
        'term_ends_at', to_char(o.term_ends_at at time zone 'UTC', $4)
      ) as record
       from organizations o
       join plans p on p.name = o.plan
       left join unit_counters c on c.subject = 'organization' and c.subject_id = o.id and c.month = $2
      where o.id = $1`,
    [id, unitMonth(now), now.toISOString().slice(0, 7), 'YYYY-MM-DD"T"HH24:MI:SS"Z"'],
  );
  if (!found) throw new Error(`organization ${id} does not exist`);
  return found.record;
}

/** Plans without overage keep having none. */
export async function setOveragePrices(db: Queryable, prices: Readonly<Record<string, number>>): Promise<void> {
  await db.query(
    `update plans p set overage_sar_per_1000 = n.price from json_each_text($1) as e(name, value), lateral (select value::numeric as price) n
      where p.name = e.name and p.overage and p.overage_sar_per_1000 <> n.price`,
    [JSON.stringify(prices)],
  );
}

/** @throws RequestError not_found; conflict if several have the name */
export async function organizationNumber(db: Queryable, idOrName: string): Promise<number> {
  const [found, another] = await sql.queryRows(
    db,
    ID,
    'select id from organizations where public_id = $1 or name = $1 order by public_id = $1 desc limit 2',
    [idOrName],
  );
  if (another)
    throw new RequestError('conflict', { message: `Several organizations have the name "${idOrName}". State the id.` });
  if (!found) throw new RequestError('not_found', { message: `No organization has the id or name "${idOrName}".` });
  return found.id;
}

/**
 * Every change of an organization's rows takes this lock first, so that limits and the last owner are decided one change
 * after the other. It does not conflict with inserts of rows that reference the organization.
 */
export async function lockOrganization(db: Transaction, id: number): Promise<LockedTransaction> {
  await db.query('select from organizations where id = $1 for no key update', [id]);
  return db as LockedTransaction;
}

/**
 * Names need not be unique, because they would reveal who is a customer.
 * @param accountOf person or company that can have one account; null for an account by an operator
 * @returns null if it has an account
 */
export async function createOrganization(
  change: AuditedChange,
  wanted: { name: string; plan: string },
  accountOf: string | null = null,
): Promise<number | null> {
  const publicId = newId('org', change.random);
  const created = await sql.queryRow(
    change.db,
    ID,
    `insert into organizations (public_id, name, plan, account_of) values ($1, $2, $3, $4)
     on conflict (account_of) do nothing returning id`,
    [publicId, wanted.name, wanted.plan, accountOf],
  );
  if (created) await recordAudit(change, created.id, 'organization.created', publicId, wanted);
  return created?.id ?? null;
}

/** Changes by column. Null means the limit of the plan. */
export interface OrganizationChanges {
  name?: string | undefined;
  plan?: string;
  next_plan?: string | null;
  next_plan_from?: Date | null;
  units_per_minute?: number | null;
  units_per_month?: number | null;
  page_size?: number | null;
  paging_depth?: number | null;
  active_keys?: number | null;
  projects?: number | null;
  spend_cap_sar?: number;
  /** By the database clock, with which `charge` compares it. */
  suspended_at?: 'now' | null;
  closed_at?: 'now' | null;
  term_ends_at?: Date | null;
  ip_allowlist?: readonly string[];
  log_retention_days?: 7 | 30 | 90;
  log_request_details?: boolean;
}

/** Applies from the next call. */
export async function changeOrganization(
  change: AuditedChange,
  id: number,
  changes: OrganizationChanges,
): Promise<void> {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
  const sets = entries.map(([name], index) => `${name} = $${index + 2}`).join(', ');
  await change.db.query(`update organizations set ${sets} where id = $1`, [id, ...entries.map(([, value]) => value)]);
  await recordAudit(change, id, actionOf(changes), null, changes);
}

function actionOf(changes: OrganizationChanges): AuditAction {
  if (changes.closed_at === 'now') return 'organization.closed';
  if (changes.plan !== undefined) return 'organization.plan_changed';
  if (changes.next_plan !== undefined) return 'organization.plan_change_scheduled';
  if (changes.suspended_at === null) return 'organization.resumed';
  if (changes.suspended_at !== undefined) return 'organization.suspended';
  return 'organization.settings_changed';
}
