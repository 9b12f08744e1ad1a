import pg from 'pg';
import { createPool, createRequestPool, type PoolOptions } from '#stores/postgres/pool.ts';
import { inTransaction } from '#stores/postgres/transaction.ts';
import { testEnv } from '#test/env.ts';
import { test } from '#test/test.ts';

const OPTIONS: PoolOptions = {
  max: 1,
  statementTimeout: 400,
  idleTransactionTimeout: 700,
  lockTimeout: 25,
  asynchronousCommit: true,
};
const SETTINGS = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
  current_setting('idle_in_transaction_session_timeout') as idle, current_setting('synchronous_commit') as commit`;
const APPLIED = [{ statement: '400ms', lock: '25ms', idle: '700ms', commit: 'off' }];

const databaseUrl = () => testEnv().DATABASE_URL;
/** The same database as if it were behind a pooler. */
const pooled = (options = OPTIONS) =>
  createRequestPool({ databaseUrl: databaseUrl(), poolerUrl: databaseUrl() }, options);
const KINDS: readonly (readonly [string, () => pg.Pool])[] = [
  ['a pool of sessions', () => createPool(databaseUrl(), OPTIONS)],
  ['a pool behind a pooler', pooled],
];

for (const [kind, open] of KINDS)
  test(`the settings of ${kind} apply to single statements and in transactions, which time out`, async (t) => {
    const pool = open();
    t.teardown(() => pool.end());
    t.deepEqual((await pool.query(SETTINGS)).rows, APPLIED);
    t.deepEqual((await inTransaction(pool, (db) => db.query(SETTINGS))).rows, APPLIED);
    await t.throwsAsync(pool.query('select pg_sleep(5)'), { code: '57014' });
    await t.throwsAsync(
      inTransaction(pool, (db) => db.query('select pg_sleep(5)')),
      { code: '57014' },
    );
    t.is((await pool.query('select $1::int as n', [7])).rows[0].n, 7);
  });

test('behind a pooler, nothing stays in the session, statements are not prepared, and a failed one changes nothing', async (t) => {
  const pool = pooled();
  t.teardown(() => pool.end());
  const statement = { name: 'named', text: 'select $1::int as n', values: [1] };
  for (let times = 0; times < 2; times++) t.is((await pool.query(statement)).rows[0].n, 1);
  await t.throwsAsync(pool.query('create temporary table gone (n int); select 1 / 0'), { code: '22012' });
  await t.throwsAsync(pool.query('select $1::int', ['word']), { code: '22P02' });
  const client = await pool.connect();
  t.teardown(() => client.release());
  const found = await inSession(
    client,
    `${SETTINGS}, to_regclass('gone') as gone,
    (select count(*) from pg_prepared_statements) as prepared`,
  );
  t.like(found, { statement: '0', lock: '0', prepared: 0, gone: null });
});

/** Runs a statement without the transaction around it. */
async function inSession(client: pg.PoolClient, text: string) {
  const query = pg.Client.prototype.query as (text: string) => Promise<pg.QueryResult>;
  return (await query.call(client, text)).rows[0];
}

test('behind a pooler, an unresponsive statement frees its connection', async (t) => {
  const pool = pooled({ max: 1, statementTimeout: 60_000 });
  t.teardown(() => pool.end());
  await t.throwsAsync(pool.query({ text: 'select pg_sleep(30)', query_timeout: 200 } as pg.QueryConfig), {
    // The closed connection is reported, or its cause.
    message: /^(Query read timeout|Connection terminated unexpectedly)$/,
  });
  t.is((await pool.query('select 1 as n')).rows[0].n, 1);
});
