import fc from 'fast-check';
import type pg from 'pg';
import { copyIn, copyJson, copyNumber, copyText } from '#ingest/postgres/copy-in.ts';
import { copyOut, flag, number, numberOrNaN, numberOrNull, text, textOrNull } from '#ingest/postgres/copy-out.ts';
import { column, queryRows } from '#ingest/postgres/rows.ts';
import { createPool } from '#postgres/pool.ts';
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
    ({ words, json, amount }, id) => `${id}\t${copyText(words)}\t${copyJson(json)}\t${copyNumber(amount)}`,
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

test('rows read by COPY have the names and types of their columns, for any number of chunks', async (t) => {
  const columns = {
    id: number('id'),
    name: text(`'n' || id`),
    place: textOrNull(`case when id % 3 = 0 then null else 'a b' end`),
    price: numberOrNull('case when id % 5 = 0 then null else id / 8.0 end'),
    area: numberOrNaN('case when id % 7 = 0 then null else id * 1e100::float8 end'),
    odd: flag('id % 2 = 1'),
  };
  let next = 1;
  let chunks = 0;
  for await (const rows of copyOut({ pool, signal }, columns, 'from generate_series(1, 20000) id order by id')) {
    chunks++;
    for (const { id, name, place, price, area, odd } of rows) {
      t.deepEqual(
        { id, name, place, price, area, odd },
        {
          id: next,
          name: `n${next}`,
          place: next % 3 === 0 ? null : 'a b',
          price: next % 5 === 0 ? null : next / 8,
          area: next % 7 === 0 ? Number.NaN : next * 1e100,
          odd: next % 2 === 1,
        },
      );
      next++;
    }
  }
  t.is(next, 20_001);
  t.true(chunks > 1);
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
  // Session settings for one read must not remain on the pooled connection.
  const set = `set application_name = 'reading'`;
  for await (const _ of copyOut({ pool, signal }, columns, 'from generate_series(1, 3) id', set));
  const { rows } = await pool.query('show application_name');
  t.not(rows[0]?.application_name, 'reading');
});
