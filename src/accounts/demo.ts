import type pg from 'pg';
import * as sql from '#stores/postgres/rows.ts';
import { inTransaction } from '#stores/postgres/transaction.ts';
import type { LockedChange } from './audit.ts';
import { newId } from './ids.ts';
import { generateKey, hashKey, type RandomBytes, type SecretKind } from './keys.ts';
import { setMember } from './member-store.ts';
import { lockOrganization } from './organization-store.ts';
import { createProject } from './project-store.ts';
import type { Role } from './roles.ts';

export const DEMO_KEYS = ['free', 'starter', 'growth', 'pro', 'enterprise', 'test', 'admin'] as const;
export type DemoKeys = Record<(typeof DEMO_KEYS)[number], string>;

const MEMBERS: Readonly<Record<Role, readonly [name: string, email: string]>> = {
  owner: ['Noura Al Harbi', 'noura@example.com'],
  admin: ['Faisal Al Otaibi', 'faisal@example.com'],
  developer: ['Sara Khan', 'sara@example.com'],
  billing: ['Majed Al Qahtani', 'majed@example.com'],
  viewer: ['Lina Haddad', 'lina@example.com'],
};

/** Owner of the team. */
export const [, DEMO_OWNER] = MEMBERS.owner;

const PROJECTS = [
  { name: 'Website', monthly_unit_cap: 500_000 },
  { name: 'Reports', monthly_unit_cap: 50_000 },
] as const;

/**
 * Creates organizations with a live key for each plan, and a team with test and admin keys for Pro.
 * @param known keys of an earlier start, of which the database has only hashes
 */
export async function seedDemo(
  pool: pg.Pool,
  pepper: string,
  random: RandomBytes,
  known: Partial<DemoKeys> = {},
): Promise<DemoKeys> {
  const keys: Partial<DemoKeys> = {};
  for (const name of DEMO_KEYS) {
    const kind: SecretKind = name === 'test' || name === 'admin' ? name : 'live';
    const plan = kind === 'live' ? name : 'pro';
    keys[name] = await ensureKey(pool, pepper, random, { plan, kind, name: `Demo ${name}`, known: known[name] });
  }
  await ensureTeam(pool, random, hashKey(keys.pro ?? '', pepper));
  return keys as DemoKeys;
}

async function ensureTeam(pool: pg.Pool, random: RandomBytes, keyHash: Buffer): Promise<void> {
  await inTransaction(pool, async (db) => {
    const organization = await sql.queryRow(
      db,
      { id: sql.integer },
      'select organization_id as id from api_keys where hash = $1',
      [keyHash],
    );
    if (organization === null) return;
    const locked = await lockOrganization(db, organization.id);
    if (await sql.hasRows(db, 'from projects where organization_id = $1', [organization.id])) return;
    const change: LockedChange = { db: locked, random, actor: { type: 'system', id: null, requestId: null } };
    for (const [role, [name, email]] of Object.entries(MEMBERS))
      await setMember(change, organization.id, { name, email, role: role as Role });
    const created: string[] = [];
    for (const project of PROJECTS) created.push(await createProject(change, organization.id, project));
    await db.query('update api_keys set project_id = (select id from projects where public_id = $1) where hash = $2', [
      created[0],
      keyHash,
    ]);
  });
}

interface DemoKey {
  plan: string;
  kind: SecretKind;
  name: string;
  known: string | undefined;
}

async function ensureKey(pool: pg.Pool, pepper: string, random: RandomBytes, wanted: DemoKey): Promise<string> {
  if (wanted.known) {
    const { rowCount } = await pool.query('select 1 from api_keys where hash = $1', [hashKey(wanted.known, pepper)]);
    if (rowCount) return wanted.known;
  }
  const organization = await sql.queryOne(
    pool,
    { id: sql.integer },
    `with present as (select id from organizations where name = $2 and account_of is null order by id limit 1),
          created as (insert into organizations (public_id, name, plan)
                        select $1, $2, $3 where not exists (select from present) returning id)
     select id from present union all select id from created`,
    [newId('org', random), `Demo ${wanted.plan}`, wanted.plan],
  );
  // So that the new key can use its name.
  await pool.query(
    'update api_keys set revoked_at = now() where organization_id = $1 and name = $2 and revoked_at is null',
    [organization.id, wanted.name],
  );
  const key = generateKey(wanted.kind, random);
  await pool.query(
    `insert into api_keys (public_id, organization_id, kind, name, hash, last_four) values ($1, $2, $3, $4, $5, $6)`,
    [newId('key', random), organization.id, wanted.kind, wanted.name, hashKey(key, pepper), key.slice(-4)],
  );
  return key;
}
