import type pg from 'pg';
import { createPool } from '#postgres/pool.ts';
import * as sql from '#postgres/rows.ts';
import { createDatabase } from '#test/engines.ts';
import { test } from '#test/test.ts';

let pool: pg.Pool;
test.before(async () => {
  pool = createPool(await createDatabase('rows'));
});
test.after(() => pool.end());

const EVERY = {
  id: sql.integer,
  count: sql.integer,
  share: sql.number,
  name: sql.text,
  kind: sql.oneOf(['live', 'test']),
  plan: sql.textAs<'Free' | 'Pro'>(),
  active: sql.boolean,
  at: sql.timestamp,
  hash: sql.bytes,
  scopes: sql.listOf(sql.text),
  cap: sql.nullable(sql.integer),
  limits: sql.object({ units: sql.integer, window: sql.nullable(sql.integer) }),
  filters: sql.json<{ city?: string }>(),
};
const VALUES = `1::int as id, 9007199254740991::bigint as count, 0.5::float8 as share, 'a' as name, 'test' as kind, 'Max' as plan,
  true as active, '2025-01-01T00:00:00Z'::timestamptz as at, '\\x00'::bytea as hash, array['a', 'b'] as scopes, null::int as cap,
  '{"units": 5, "window": null}'::jsonb as limits, '{"city": "riyadh"}'::jsonb as filters`;

test('queryRows returns rows with the declared columns', async (t) => {
  const row = await sql.queryRow(pool, EVERY, `select ${VALUES}`);
  t.like(row, { id: 1, count: Number.MAX_SAFE_INTEGER, share: 0.5, kind: 'test', cap: null, limits: { units: 5 } });
  t.is(row?.at.getUTCFullYear(), 2025);
  t.is(await sql.queryRow(pool, EVERY, `select ${VALUES} where $1`, [false]), null);
});

const MISMATCHES: readonly [column: string, value: string, problem: string][] = [
  ['id', `'7'`, 'is of type string. Expected: integer.'],
  // The Postgres driver returns `numeric` as text.
  ['share', '0.5::numeric', 'is of type string. Expected: number.'],
  ['name', 'null', 'is null. Expected: text.'],
  ['at', `'2025-01-01'`, 'is of type string. Expected: timestamp.'],
  ['scopes', `array['a', null]`, 'is of type object. Expected: list of text.'],
  ['cap', `'none'`, 'is of type string. Expected: integer or null.'],
  ['limits.units', `'{"window": 1}'::jsonb`, 'is missing. Expected: integer.'],
  ['limits.units', `'{"units": "5", "window": 1}'::jsonb`, 'is of type string. Expected: integer.'],
];

test('if a column or a property of a JSON column is missing or has another type, the query fails with an error that names it', async (t) => {
  for (const [name, value, problem] of MISMATCHES) {
    const statement = `select v.*, ${value} as "${name.split('.')[0]}" from (select ${VALUES}) v`;
    const error = await t.throwsAsync(() => sql.queryRows(pool, EVERY, statement), undefined, name);
    t.is(error?.message, `The column "${name.split('.').at(-1)}" of a query result ${problem}`);
  }
  const error = await t.throwsAsync(() => sql.queryRow(pool, { units: sql.integer }, 'select 1 as id'));
  t.is(error?.message, 'The column "units" of a query result is missing. Expected: integer.');
});
