import { RequestError } from '#domain/errors.ts';
import { unitMonth } from '#domain/months.ts';
import { findRecord, type Records } from '#stores/postgres/records.ts';
import * as sql from '#stores/postgres/rows.ts';
import { type AuditedChange, type LockedChange, recordAudit } from './audit.ts';
import { newId } from './ids.ts';
import { nameTaken } from './names.ts';

const PROJECT = {
  number: sql.integer,
  id: sql.text,
  name: sql.text,
  monthly_unit_cap: sql.nullable(sql.integer),
  units_this_month: sql.integer,
  active_keys: sql.integer,
  created_at: sql.timestamp,
};

/** @param now determines the month of the units */
export const projectsAt = (now: Date): Records<typeof PROJECT> => ({
  columns: PROJECT,
  select: `
    p.id as number, p.public_id as id, p.name, p.monthly_unit_cap, p.created_at,
    coalesce(c.units, 0) as units_this_month,
    (select count(*)::int from api_keys k where k.project_id = p.id and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > now())) as active_keys`,
  from: `projects p
    left join unit_counters c on c.subject = 'project' and c.subject_id = p.id and c.month = ${unitMonth(now)}`,
  table: 'p',
  where: 'p.deleted_at is null',
});

/** @throws RequestError project_limit, name_taken */
export async function createProject(
  change: LockedChange,
  organizationId: number,
  wanted: { name: string; monthly_unit_cap: number | null },
): Promise<string> {
  const { db, random } = change;
  const { allowed } = await sql.queryOne(
    db,
    { allowed: sql.integer },
    `select coalesce(o.projects, p.projects) as allowed from organizations o join plans p on p.name = o.plan
      where o.id = $1`,
    [organizationId],
  );
  if (
    (await sql.countRows(db, 'from projects where organization_id = $1 and deleted_at is null', [organizationId])) >=
    allowed
  ) {
    throw new RequestError('project_limit', {
      message: `The plan allows ${allowed} projects.`,
      details: { limit: allowed },
    });
  }
  const publicId = newId('prj', random);
  await db
    .query('insert into projects (public_id, organization_id, name, monthly_unit_cap) values ($1, $2, $3, $4)', [
      publicId,
      organizationId,
      wanted.name,
      wanted.monthly_unit_cap,
    ])
    .catch(nameTaken(wanted.name));
  await recordAudit(change, organizationId, 'project.created', publicId, wanted);
  return publicId;
}

/** @throws RequestError not_found, name_taken */
export async function changeProject(
  change: AuditedChange,
  organizationId: number,
  publicId: string,
  { name, monthly_unit_cap }: { name?: string; monthly_unit_cap?: number | null },
): Promise<void> {
  const { db } = change;
  const { rowCount } = await db
    .query(
      `update projects set name = coalesce($3, name), monthly_unit_cap = case when $4 then $5 else monthly_unit_cap end
        where organization_id = $1 and public_id = $2 and deleted_at is null`,
      [organizationId, publicId, name ?? null, monthly_unit_cap !== undefined, monthly_unit_cap ?? null],
    )
    .catch(nameTaken(name ?? ''));
  if (!rowCount) throw noProject(publicId);
  if (name !== undefined) await recordAudit(change, organizationId, 'project.renamed', publicId, { name });
  if (monthly_unit_cap !== undefined)
    await recordAudit(change, organizationId, 'project.cap_changed', publicId, { monthly_unit_cap });
}

/** Usage still names the project. @throws RequestError not_found; conflict if it has active keys */
export async function deleteProject(change: LockedChange, organizationId: number, publicId: string): Promise<void> {
  const { db } = change;
  const project = await findRecord(db, projectsAt(new Date()), organizationId, publicId);
  if (!project) throw noProject(publicId);
  if (project.active_keys > 0)
    throw new RequestError('conflict', {
      message: `The project has ${project.active_keys} active ${project.active_keys === 1 ? 'key' : 'keys'}. Revoke them or move them to another project first.`,
    });
  await db.query('update projects set deleted_at = now() where id = $1', [project.number]);
  await recordAudit(change, organizationId, 'project.deleted', publicId, { name: project.name });
}

const noProject = (id: string): RequestError =>
  new RequestError('not_found', { param: 'project_id', message: `No project has the id "${id}".` });
