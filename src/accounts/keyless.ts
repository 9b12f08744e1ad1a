import * as sql from '#stores/postgres/rows.ts';
import { type AuditedChange, recordAudit } from './audit.ts';
import { newId } from './ids.ts';
import type { KEYLESS_KINDS } from './keys.ts';
import type { Scope } from './scopes.ts';

const HASH_BYTES = 32;

export interface NewKeylessKey {
  kind: (typeof KEYLESS_KINDS)[number];
  name: string;
  /** Number of the member to whom the key belongs. */
  member: number;
  project?: number | null;
  /** Null for all scopes of the plan. */
  scopes?: Scope[] | null;
  expires_at?: Date | null;
}

/**
 * Creates a key without a secret: its hash is random, so no text is this key. Only the process itself calls with it, by
 * the hash. It counts toward no limit of keys, and its name need not be unique.
 */
export async function createKeyless(change: AuditedChange, organizationId: number, wanted: NewKeylessKey) {
  const { db, random } = change;
  const { kind, name, member, project = null, scopes = null, expires_at = null } = wanted;
  const [id, keyHash] = [newId('key', random), Buffer.from(random(HASH_BYTES))];
  const { number } = await sql.queryOne(
    db,
    { number: sql.integer },
    `insert into api_keys (public_id, organization_id, project_id, kind, name, hash, last_four, scopes, expires_at, member_id)
     values ($1, $2, $3, $4, $5, $6, '', $7, $8, $9) returning id as number`,
    [id, organizationId, project, kind, name, keyHash, scopes, expires_at, member],
  );
  await recordAudit(change, organizationId, 'key.created', id, { name, kind, scopes });
  return { number, id, keyHash };
}
