import type pg from 'pg';
import * as sql from '#postgres/rows.ts';
import { newId } from './ids.ts';
import { generateKey, hashKey, type KeyKind, type RandomBytes } from './keys.ts';

export const DEMO_KEYS = ['free', 'starter', 'growth', 'pro', 'enterprise', 'test', 'admin'] as const;
export type DemoKeys = Record<(typeof DEMO_KEYS)[number], string>;

/**
 * Creates organizations with a live key for each plan, and test and admin keys for Pro.
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
    const kind: KeyKind = name === 'test' || name === 'admin' ? name : 'live';
    const plan = kind === 'live' ? name : 'pro';
    keys[name] = await ensureKey(pool, pepper, random, { plan, kind, name: `Demo ${name}`, known: known[name] });
  }
  return keys as DemoKeys;
}

interface Wanted {
  plan: string;
  kind: KeyKind;
  name: string;
  known: string | undefined;
}

async function ensureKey(pool: pg.Pool, pepper: string, random: RandomBytes, wanted: Wanted): Promise<string> {
  if (wanted.known) {
    const { rowCount } = await pool.query('select 1 from api_keys where hash = $1', [hashKey(wanted.known, pepper)]);
    if (rowCount) return wanted.known;
  }
  const organization = await sql.queryOne(
    pool,
    { id: sql.integer },
    `insert into organizations (public_id, name, plan) values ($1, $2, $3)
     on conflict (name) do update set name = excluded.name returning id`,
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
