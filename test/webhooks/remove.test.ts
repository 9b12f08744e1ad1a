import test from 'ava';
import { startWebhookApp } from '#test/webhooks.ts';
import { removeWebhookHistory } from '#workers/housekeeping/jobs.ts';

const app = await startWebhookApp('webhooks_remove', { privateHosts: ['127.0.0.1:9'] });
test.after.always(app.close);

const ROWS = 12_000;

test('a webhook endpoint with a long history is deleted immediately, and its history later in batches', async (t) => {
  const { pool } = app.services;
  const { id } = await app.subscribe('http://127.0.0.1:9/');
  const other = await app.subscribe('http://127.0.0.1:9/other');
  await app.run([{ listing: app.listing() }]);
  await app.match();
  await pool.query(
    `with made as (
       insert into webhook_deliveries (public_id, endpoint_id, sequence, event_id, event_type, body, created_at, due_at)
       select 'dlv_' || n, e.id, n, 'evt_' || n, 'listing.created', '{}', now(), now()
         from webhook_endpoints e, generate_series(2, $2::int) n where e.public_id = $1 returning id)
     insert into webhook_attempts (delivery_id, number, at, duration_ms, reply) select id, 1, now(), 1, '' from made`,
    [id, ROWS],
  );
  const count = async (table: string): Promise<number> =>
    (await pool.query(`select count(*)::int as count from ${table}`)).rows[0].count;
  t.is(await count('webhook_deliveries'), ROWS + 1);
  t.is((await app.owner.post(`/webhooks/${id}/delete`)).status, 200);
  t.is(await count('webhook_deliveries'), ROWS + 1, 'the call does not wait for the history');
  t.is((await app.owner.get(`/webhooks/${id}/deliveries`)).status, 404);
  t.is((await app.owner.post(`/webhooks/${id}/deliveries/dlv_2/replay`)).status, 404);
  t.deepEqual(
    (await app.owner.all('/webhooks')).map((each) => each.id),
    [other.id],
  );
  const stop = app.startWorker();
  await app.until(async () => (await app.deliveries(other.id))[0].attempts_made === 1);
  await stop();
  const { rows } = await pool.query('select count(*)::int as claimed from webhook_deliveries where claims > 0');
  t.is(rows[0].claimed, 1, 'deliveries of a deleted endpoint are not sent');

  const db = await pool.connect();
  t.teardown(() => db.release());
  t.deepEqual(await removeWebhookHistory.run(db, new Date()), { endpoints: 1, deleted: ROWS });
  t.deepEqual(await removeWebhookHistory.run(db, new Date()), { endpoints: 0, deleted: 0 });
  t.deepEqual([await count('webhook_deliveries'), await count('webhook_attempts')], [1, 1]);
  t.is((await app.deliveries(other.id)).length, 1);
});
