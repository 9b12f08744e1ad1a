import type pg from 'pg';
import { generateKey, hashKey, type KeyKind, type RandomBytes } from './keys.ts';

export const DEMO_KEYS = ['free', 'starter', 'growth', 'pro', 'enterprise', 'test', 'admin'] as const;
export type DemoKeys = Record<(typeof DEMO_KEYS)[number], string>;

/**
 * Creates a demo organization for every plan with one key each, and a test key and an admin key for the Pro one. Keys
 * cannot be read back from the database: the caller stores them and passes them as `known`; for one that is missing a
 * new key is made.
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
  const id = (prefix: string): string => `${prefix}_${Buffer.from(random(12)).toString('hex')}`;
  if (wanted.known) {
    const { rowCount } = await pool.query('select 1 from api_keys where hash = $1', [hashKey(wanted.known, pepper)]);
    if (rowCount) return wanted.known;
  }
  const organization = await pool.query<{ id: number }>(
    `insert into organizations (public_id, name, plan) values ($1, $2, $3)
     on conflict (name) do update set name = excluded.name returning id`,
    [id('org'), `Demo ${wanted.plan}`, wanted.plan],
  );
  // The name is free for the new key once the lost one is revoked.
  await pool.query(
    'update api_keys set revoked_at = now() where organization_id = $1 and name = $2 and revoked_at is null',
    [organization.rows[0]?.id, wanted.name],
  );
  const key = generateKey(wanted.kind, random);
  await pool.query(
    `insert into api_keys (public_id, organization_id, kind, name, hash, last_four) values ($1, $2, $3, $4, $5, $6)`,
    [id('key'), organization.rows[0]?.id, wanted.kind, wanted.name, hashKey(key, pepper), key.slice(-4)],
  );
  return key;
}
