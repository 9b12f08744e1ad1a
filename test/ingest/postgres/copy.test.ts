import fc from 'fast-check';
import type pg from 'pg';
import { column, queryRows } from '#ingest/postgres/column-rows.ts';
import { copyIn, copyNumber, copyText } from '#ingest/postgres/copy-in.ts';
import { copyOut, number } from '#ingest/postgres/copy-out.ts';
import { createPool } from '#stores/postgres/pool.ts';
import { createDatabase } from '#test/engines.ts';
import { hostileText } from '#test/hostile-text.ts';
import { test } from '#test/test.ts';

// With a single connection, the next read would receive unread rows from the previous read.
let pool: pg.Pool;
test.before(async () => {
  pool = createPool(await createDatabase('copy'), { max: 1, statementTimeout: 30_000 });
});
test.after(() => pool.end());
const { signal } = new AbortController();

// COPY formats numbers as JavaScript does, except negative zero.
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const storable = hostileText.map((value) => value.replaceAll('\0', '').toWellFormed());

test('rows read by COPY equal the rows of the same query, keyed by column name', async (t) => {
  await pool.query('create table written (id int, words text, json text, amount float8)');
  const rows = fc.sample(
    fc.record({
      words: fc.option(storable),
      json: storable.map((value) => JSON.stringify(value)),
      amount: fc.option(double),
    }),
    500,
  );
  const lines = rows.map(
    ({ words, json, amount }, id) => `${id}\t${copyText(words)}\t${copyText(json)}\t${copyNumber(amount)}`,
  );
  const client = await pool.connect();
  await copyIn(client, 'written (id, words, json, amount)', lines);
  client.release();
  const columns = {
    words: column<string | null>('words'),
    json: column<string>('json'),
    amount: column<number | null>('amount'),
  };
  const found = await queryRows(pool, columns, { from: 'from written where id >= $1 order by id', values: [0] });
  t.deepEqual(
    found.map(({ words, json, amount }) => ({ words, json, amount })),
    rows,
  );
});

test('a COPY read that stops early or is aborted releases its connection', async (t) => {
  const many = 'from generate_series(1, 1000000) id';
  const columns = { id: number('id') };
  for await (const rows of copyOut({ pool, signal }, columns, many)) {
    t.is(rows[0]?.id, 1);
    break;
  }
  const stopping = new AbortController();
  const reading = async () => {
    for await (const _ of copyOut({ pool, signal: stopping.signal }, columns, many))
      stopping.abort(new Error('stopped'));
  };
  await t.throwsAsync(reading(), { message: 'stopped' });
  await t.throwsAsync(async () => {
    for await (const _ of copyOut({ pool, signal }, columns, 'from nowhere'));
  });
  t.is(pool.totalCount, pool.idleCount);
});
