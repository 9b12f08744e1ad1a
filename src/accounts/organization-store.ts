import { RequestError } from '#domain/errors.ts';
import { isUniqueViolation } from '#postgres/conflicts.ts';
import type { Queryable, Transaction } from '#postgres/transaction.ts';
import { type Actor, type AuditAction, recordAudit } from './audit.ts';
import { newId } from './ids.ts';
import type { RandomBytes } from './keys.ts';
import type { Scope } from './scopes.ts';

/** Organization as returned to its administrators. */
export interface OrganizationRecord {
  id: string;
  name: string;
  plan: string;
  created_at: Date;
  term_ends_at: Date | null;
  limits: {
    units_per_minute: number | null;
    units_per_month: number | null;
    page_size: number;
    paging_depth: number;
    active_keys: number;
    projects: number;
    apis: Scope[];
  };
  /** `month` is `YYYY-MM` in UTC. */
  usage: { month: string; units: number; overage_units: number };
  overage: { allowed: boolean; sar_per_1000_units: number; spend_cap_sar: number };
  /** CIDR ranges; empty allows any address. */
  ip_allowlist: string[];
  request_logs: { retention_days: number; details: boolean };
}

/** Returns an organization by its internal number. @param now determines the month of `usage` */
export async function getOrganization(db: Queryable, id: number, now: Date): Promise<OrganizationRecord> {
  const month = now.getUTCFullYear() * 100 + now.getUTCMonth() + 1;
  const { rows } = await db.query<{
    record: Omit<OrganizationRecord, 'created_at' | 'term_ends_at'>;
    created_at: Date;
    term_ends_at: Date | null;
  }>(
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
    [id, month, now.toISOString().slice(0, 7)],
  );
  const found = rows[0];
  if (!found) throw new Error(`organization ${id} is not there`);
  return { ...found.record, created_at: found.created_at, term_ends_at: found.term_ends_at };
}

/** Returns the internal number of the organization with a public id or name. @throws RequestError not_found */
export async function organizationNumber(db: Queryable, idOrName: string): Promise<number> {
  const { rows } = await db.query<{ id: number }>('select id from organizations where public_id = $1 or name = $1', [
    idOrName,
  ]);
  if (!rows[0]) throw new RequestError('not_found', { message: `No organization has the id or name "${idOrName}".` });
  return rows[0].id;
}

/** Creates an organization. @throws RequestError name_taken */
export async function createOrganization(
  db: Transaction,
  random: RandomBytes,
  wanted: { name: string; plan: string },
  actor: Actor,
): Promise<number> {
  const publicId = newId('org', random);
  const { rows } = await db
    .query<{ id: number }>('insert into organizations (public_id, name, plan) values ($1, $2, $3) returning id', [
      publicId,
      wanted.name,
      wanted.plan,
    ])
    .catch((error: unknown) => {
      if (isUniqueViolation(error)) {
        throw new RequestError('name_taken', {
          param: 'name',
          message: `An organization named "${wanted.name}" already exists.`,
        });
      }
      throw error;
    });
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('no organization was made');
  await recordAudit(db, random, id, actor, { action: 'organization.created', target: publicId, details: wanted });
  return id;
}

/** Settings that an operator can change. Null resets a limit to the limit of the plan. */
export interface OrganizationChanges {
  plan?: string;
  units_per_minute?: number | null;
  units_per_month?: number | null;
  page_size?: number | null;
  paging_depth?: number | null;
  active_keys?: number | null;
  projects?: number | null;
  spend_cap_sar?: number;
  /** `now` is the time of the database, because `charge` compares the value with it. */
  suspended_at?: 'now' | null;
  term_ends_at?: Date | null;
  ip_allowlist?: readonly string[];
  log_retention_days?: 7 | 30 | 90;
  log_request_details?: boolean;
}

const SETTABLE = new Set([
  'plan',
  'units_per_minute',
  'units_per_month',
  'page_size',
  'paging_depth',
  'active_keys',
  'projects',
  'spend_cap_sar',
  'suspended_at',
  'term_ends_at',
  'ip_allowlist',
  'log_retention_days',
  'log_request_details',
]);

/** Changes an organization and records the change in the audit log. The change takes effect with the next call. */
export async function changeOrganization(
  db: Transaction,
  random: RandomBytes,
  id: number,
  changes: OrganizationChanges,
  actor: Actor,
): Promise<void> {
  const entries = Object.entries(changes).filter(([name]) => SETTABLE.has(name));
  const sets = entries.map(([name], index) => `${name} = $${index + 2}`).join(', ');
  await db.query(`update organizations set ${sets} where id = $1`, [id, ...entries.map(([, value]) => value)]);
  await recordAudit(db, random, id, actor, {
    action: actionOf(changes),
    target: null,
    details: changes as Record<string, unknown>,
  });
}

function actionOf(changes: OrganizationChanges): AuditAction {
  if (changes.plan !== undefined) return 'organization.plan_changed';
  if (changes.suspended_at === null) return 'organization.resumed';
  if (changes.suspended_at !== undefined) return 'organization.suspended';
  return 'organization.settings_changed';
}
