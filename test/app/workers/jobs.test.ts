import { randomBytes } from 'node:crypto';
import {
  expireCounters,
  expireIdempotencyRecords,
  expireIngestRecords,
  expireRequestLogs,
  rollRequestLogPartitions,
} from '#app/workers/housekeeping/jobs.ts';
import { createLogger } from '#src/observability/logger.ts';
import { type Job, runJob } from '#stores/postgres/job.ts';
import { createPool, type SessionPool } from '#stores/postgres/pool.ts';
import { createDatabase } from '#test/engines.ts';
import { test } from '#test/test.ts';

const DAY = 86_400_000;
const logger = createLogger('silent');

/** Connection pools of two workers. They use a separate database, because jobs process whole tables. */
let workers: readonly [SessionPool, SessionPool];
test.before(async () => {
  const databaseUrl = await createDatabase('jobs');
  workers = [createPool(databaseUrl, { max: 20 }), createPool(databaseUrl, { max: 20 })] as const;
});
test.after(() => Promise.all(workers.map((pool) => pool.end())));

/** Returns a job that counts its runs. */
function counting(run: () => Promise<void> = async () => {}): { job: Job; runs: () => number } {
  let runs = 0;
  const name = `test-${randomBytes(6).toString('hex')}`;
  const job: Job = {
    name,
    schedule: '* * * * * *',
    run: async () => {
      runs++;
      await run();
      return { runs };
    },
  };
  return { job, runs: () => runs };
}

const record = async (name: string) => {
  const { rows } = await workers[0].query('select * from job_runs where name = $1', [name]);
  return rows[0];
};

test('expired rejects, events and prices are deleted, and webhook endpoints record until when they missed events', async (t) => {
  const now = new Date('2027-09-01T04:12:00Z');
  const ago = (days: number) => new Date(now.getTime() - days * DAY);
  const [db] = workers;
  for (const [id, days, rejected] of [
    [1, 401, 91],
    [2, 366, 89],
  ] as const) {
    await db.query(
      `insert into ingest_runs (id, at, trigger, sources, status) values ($1, $2, 'test', '{}', 'completed')`,
      [id, ago(days)],
    );
    await db.query(
      `insert into listing_events (run_id, listing_id, id, type, version, at, city, listing_type, property_type)
       values ($1, 1, $2, 'listing.created', 1, $3, 'riyadh', 'rent', 'villa')`,
      [id, `evt_${id}`, ago(days)],
    );
    await db.query(
      `insert into ingest_rejects (source, digest, run_id, position, reason, detail, row, count, first_at, at)
       values ('a', $1::text, $2, 1, 'wanted', '', '', 1, $3, $4)`,
      [`d${id}`, id, ago(days), ago(rejected)],
    );
  }
  for (const [id, withdrawn] of [
    [1, ago(401)],
    [2, ago(399)],
    [3, null],
  ] as const) {
    await db.query(
      `insert into listings (id, source, source_listing_id, content_hash, city, listing_type, property_type,
         listing_category, signature, needs_photos, first_seen_at, updated_at, updated_by_source, withdrawn_at,
         changed_run, content_run)
       values ($1, 'a', $4, '', 'riyadh', 'rent', 'villa', 'residential', '', true, $2, $2, true, $3, 1, 1)`,
      [id, ago(900), withdrawn, `ad ${id}`],
    );
    for (const days of [900, 800, 700])
      await db.query('insert into listing_prices values ($1, $2, $3)', [id, ago(days), days]);
  }
  await db.query(`insert into organizations (public_id, name, plan) values ('org_behind', 'Behind', 'pro')`);
  await db.query(
    `insert into webhook_endpoints (public_id, organization_id, url, host, event_types, filters, secret, created_at,
       matched_run, matched_listing)
     select e.id, o.id, 'https://hooks.test/', 'hooks.test:443', '{listing.created}', '{}', '', $1, run, listing
       from organizations o, (values ('before', 0, 5), ('in', 1, 1), ('behind', 2, 0)) e (id, run, listing)
      where o.public_id = 'org_behind'`,
    [ago(500)],
  );
  t.deepEqual(await run(expireIngestRecords, now.toISOString()), { rejects: 1, behind: 1, events: 1, prices: 2 });
  const all = async (sql: string) => (await db.query<{ it: unknown }>(sql)).rows.map(({ it }) => it);
  t.deepEqual(await all('select missed_until as it from webhook_endpoints order by matched_run'), [
    ago(401),
    null,
    null,
  ]);
  t.deepEqual(
    await all(
      'select array_agg(price_yearly_sar order by at) as it from listing_prices group by listing_id order by listing_id',
    ),
    [[700], [900, 800, 700], [900, 800, 700]],
  );
  t.deepEqual(await all('select run_id as it from listing_events'), [2]);
  t.deepEqual(await all('select digest as it from ingest_rejects'), ['d2']);
});

test('of many concurrent workers, exactly one runs a job', async (t) => {
  const others = Promise.withResolvers<void>();
  const { job, runs } = counting(() => others.promise);
  const due = new Date('2026-03-01T02:17:00Z');
  const WORKERS = 16;
  let ended = 0;
  const outcomes = await Promise.all(
    Array.from({ length: WORKERS }, (_, index) =>
      runJob(workers[index % 2] as SessionPool, job, due, logger).finally(() => {
        if (++ended === WORKERS - 1) others.resolve();
      }),
    ),
  );
  t.is(runs(), 1);
  t.is(outcomes.filter((outcome) => outcome === 'done').length, 1);
  t.is(await runJob(workers[1], job, new Date(due.getTime() + 30_000), logger), 'taken', 'a clock half a minute ahead');
  t.is(await runJob(workers[1], job, new Date(due.getTime() - 60_000), logger), 'taken', 'a clock a minute behind');
  t.is(await runJob(workers[1], job, new Date(due.getTime() + 60_000), logger), 'done', 'the next scheduled time');
  t.like(await record(job.name), { result: { runs: 2 }, error: null });
});

test('a failed job, and one whose worker crashed, runs again at its next scheduled time', async (t) => {
  const name = `test-${randomBytes(6).toString('hex')}`;
  const ways: Job['run'][] = [
    () => Promise.reject(new Error('disk full')),
    async (db) => {
      const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
      await Promise.all([
        db.query('select pg_sleep(600)'),
        workers[1].query('select pg_terminate_backend($1)', [rows[0]?.pid]),
      ]);
      return {};
    },
  ];
  const at = (minute: number) => new Date(Date.parse('2026-03-01T02:17:00Z') + minute * 60_000);
  for (const [minute, run] of ways.entries())
    t.is(await runJob(workers[0], { name, schedule: '* * * * *', run }, at(minute), logger), 'failed');
  t.truthy((await record(name)).error);
  const next: Job = { name, schedule: '* * * * *', run: async () => ({}) };
  t.is(await runJob(workers[1], next, at(2), logger), 'done');
  t.is((await record(name)).error, null);
});

const run = (job: Job, now: string) =>
  workers[0].connect().then(async (db) => {
    try {
      return await job.run(db, new Date(now));
    } finally {
      db.release();
    }
  });

const HOUR = 3_600;
const INSERT_LOG = `insert into request_logs (at, request_id, organization_id, key_id, method, route, status, units, duration_ms)
   values ($2, 'req_' || gen_random_uuid(), $1, 1, 'GET', '/', 200, 0, 1)`;

for (const [table, days, job, insert, kept, expired] of [
  ['request_logs', 7, expireRequestLogs, INSERT_LOG, 7 * 24 * HOUR, 7 * 24 * HOUR + 1],
  ['request_logs', 30, expireRequestLogs, INSERT_LOG, 30 * 24 * HOUR, 30 * 24 * HOUR + 1],
  [
    'idempotency_records',
    30,
    expireIdempotencyRecords,
    `insert into idempotency_records values ($1, sha256($2::text::bytea), '', 200, '', $2::timestamptz)`,
    24 * HOUR - 1,
    24 * HOUR,
  ],
  [
    'unit_counters',
    30,
    expireCounters,
    `insert into unit_counters values ('organization', $1, to_char($2::timestamptz, 'YYYYMM')::int, 5)`,
    730 * 24 * HOUR,
    760 * 24 * HOUR,
  ],
  [
    'usage_days',
    30,
    expireCounters,
    `insert into usage_days values ($1, $2::timestamptz, 1, 'x', '2xx', 1, 1)`,
    400 * 24 * HOUR,
    401 * 24 * HOUR,
  ],
  [
    'listing_reads',
    30,
    expireCounters,
    `insert into listing_reads values ($2::timestamptz at time zone 'UTC', int8send($1), '{1}')`,
    12 * HOUR,
    36 * HOUR,
  ],
] as const)
  test(`rows of ${table} are retained for ${kept} s, and deleted ${expired - kept} s later`, async (t) => {
    const [db] = workers;
    const now = Date.parse('2026-05-20T12:17:00Z');
    await db.query(`truncate ${table}`);
    const { rows } = await db.query<{ id: number }>(
      `insert into organizations (public_id, name, plan, log_retention_days) values ($1, $1, 'pro', $2) returning id`,
      [`org_${randomBytes(12).toString('hex')}`, days],
    );
    const count = async () => (await db.query(`select from ${table}`)).rowCount;
    for (const age of [kept, expired]) {
      const at = new Date(now - age * 1_000).toISOString();
      await db.query('select ensure_request_log_partition($1::date)', [at.slice(0, 10)]);
      await db.query(insert, [rows[0]?.id, at]);
    }
    t.is(await count(), 2);
    await run(job, new Date(now).toISOString());
    t.is(await count(), 1);
    await run(job, new Date(now + (expired - kept) * 1_000).toISOString());
    t.is(await count(), 0);
  });

test('partitions of request logs are created for the coming months, and dropped after 91 days', async (t) => {
  await run(rollRequestLogPartitions, '2027-11-30T23:59:59Z');
  await run(rollRequestLogPartitions, '2028-03-02T00:00:00Z');
  const { rows } = await workers[0].query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'request_logs'::regclass order by 1`,
  );
  // November ended 92 days ago. December still has days within the retention period.
  t.deepEqual(
    rows.map(({ name }) => name.replace('request_logs_', '')),
    ['2027_12', '2028_01', '2028_03', '2028_04', '2028_05'],
  );
});
