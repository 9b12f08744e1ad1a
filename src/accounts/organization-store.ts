import { RequestError } from '#domain/errors.ts';
import { unitMonth } from '#domain/months.ts';
import * as sql from '#postgres/rows.ts';
import type { Queryable } from '#postgres/transaction.ts';
import { type AuditAction, type AuditedChange, recordAudit } from './audit.ts';
import { newId } from './ids.ts';
import { nameTaken } from './names.ts';
import type { Scope } from './scopes.ts';

const ORGANIZATION = {
  id: sql.text,
  name: sql.text,
  plan: sql.text,
  limits: sql.object({
    units_per_minute: sql.nullable(sql.integer),
    units_per_month: sql.nullable(sql.integer),
    page_size: sql.integer,
    paging_depth: sql.integer,
    active_keys: sql.integer,
    projects: sql.integer,
    apis: sql.listOf(sql.textAs<Scope>()),
  }),
  /** `month` is `YYYY-MM` in UTC. */
  usage: sql.object({ month: sql.text, units: sql.integer, overage_units: sql.integer }),
  overage: sql.object({ allowed: sql.boolean, sar_per_1000_units: sql.number, spend_cap_sar: sql.number }),
  /** CIDR ranges; empty for all addresses. */
  ip_allowlist: sql.listOf(sql.text),
  request_logs: sql.object({ retention_days: sql.integer, details: sql.boolean }),
};
const ORGANIZATION_ROW = {
  record: sql.object(ORGANIZATION),
  created_at: sql.timestamp,
  term_ends_at: sql.nullable(sql.timestamp),
};
const ID = { id: sql.integer };

export type OrganizationRecord = sql.RowOf<typeof ORGANIZATION> & Omit<sql.RowOf<typeof ORGANIZATION_ROW>, 'record'>;

export async function getOrganization(db: Queryable, id: number, now: Date): Promise<OrganizationRecord> {
  const found = await sql.queryRow(
    db,
    ORGANIZATION_ROW,
    `select o.created_at, o.term_ends_at, json_build_object(
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
        'request_logs', json_build_object('retention_days', o.log_retention_days, 'details', o.log_request_details)
      ) as record
       from organizations o
       join plans p on p.name = o.plan
       left join unit_counters c on c.subject = 'organization' and c.subject_id = o.id and c.month = $2
      where o.id = $1`,
    [id, unitMonth(now), now.toISOString().slice(0, 7)],
  );
  if (!found) throw new Error(`organization ${id} does not exist`);
  const { record, ...times } = found;
  return { ...record, ...times };
}

/** @throws RequestError not_found */
export async function organizationNumber(db: Queryable, idOrName: string): Promise<number> {
  const found = await sql.queryRow(db, ID, 'select id from organizations where public_id = $1 or name = $1', [
    idOrName,
  ]);
  if (!found) throw new RequestError('not_found', { message: `No organization has the id or name "${idOrName}".` });
  return found.id;
}

/** @throws RequestError name_taken */
export async function createOrganization(
  change: AuditedChange,
  wanted: { name: string; plan: string },
): Promise<number> {
  const publicId = newId('org', change.random);
  const { id } = await sql
    .queryOne(change.db, ID, 'insert into organizations (public_id, name, plan) values ($1, $2, $3) returning id', [
      publicId,
      wanted.name,
      wanted.plan,
    ])
    .catch(nameTaken('An organization', wanted.name));
  await recordAudit(change, id, 'organization.created', publicId, wanted);
  return id;
}

/** Changes by column. Null means the limit of the plan. */
export interface OrganizationChanges {
  plan?: string;
  units_per_minute?: number | null;
  units_per_month?: number | null;
  page_size?: number | null;
  paging_depth?: number | null;
  active_keys?: number | null;
  projects?: number | null;
  spend_cap_sar?: number;
  /** By the database clock, with which `charge` compares it. */
  suspended_at?: 'now' | null;
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
  const entries = Object.entries(changes);
  const sets = entries.map(([name], index) => `${name} = $${index + 2}`).join(', ');
  await change.db.query(`update organizations set ${sets} where id = $1`, [id, ...entries.map(([, value]) => value)]);
  await recordAudit(change, id, actionOf(changes), null, changes);
}

function actionOf(changes: OrganizationChanges): AuditAction {
  if (changes.plan !== undefined) return 'organization.plan_changed';
  if (changes.suspended_at === null) return 'organization.resumed';
  if (changes.suspended_at !== undefined) return 'organization.suspended';
  return 'organization.settings_changed';
}
