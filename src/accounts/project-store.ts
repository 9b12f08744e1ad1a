import { RequestError } from '#domain/errors.ts';
import * as sql from '#postgres/rows.ts';
import { type AuditedChange, recordAudit } from './audit.ts';
import { newId } from './ids.ts';
import { nameTaken } from './names.ts';

/** @throws RequestError project_limit, name_taken */
export async function createProject(
  change: AuditedChange,
  organizationId: number,
  wanted: { name: string; monthly_unit_cap: number | null },
): Promise<string> {
  const { db, random } = change;
  const { allowed } = await sql.queryOne(
    db,
    { allowed: sql.integer },
    `select coalesce(o.projects, p.projects) as allowed from organizations o join plans p on p.name = o.plan
      where o.id = $1 for no key update of o`,
    [organizationId],
  );
  if ((await sql.countRows(db, 'from projects where organization_id = $1', [organizationId])) >= allowed) {
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
    .catch(nameTaken('A project', wanted.name));
  await recordAudit(change, organizationId, 'project.created', publicId, wanted);
  return publicId;
}

/** @throws RequestError not_found */
export async function setProjectCap(
  change: AuditedChange,
  organizationId: number,
  publicId: string,
  cap: number | null,
): Promise<void> {
  const { rowCount } = await change.db.query(
    'update projects set monthly_unit_cap = $3 where organization_id = $1 and public_id = $2',
    [organizationId, publicId, cap],
  );
  if (!rowCount) throw new RequestError('not_found', { message: `No project has the id "${publicId}".` });
  await recordAudit(change, organizationId, 'project.cap_changed', publicId, { monthly_unit_cap: cap });
}
