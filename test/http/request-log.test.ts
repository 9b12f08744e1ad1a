import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { requestIdAt } from '#http/request-id.ts';
import { type RequestLogEntry, RequestLogWriter } from '#observability/request-log.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await sharedApp();
});

async function caller() {
  const { id } = await createOrganization(app.services);
  const { rows } = await app.services.pool.query<{ id: number }>('select id from api_keys where organization_id = $1', [
    id,
  ]);
  const keyId = rows[0]?.id ?? 0;
  const entry = (): RequestLogEntry => ({
    at: new Date(),
    requestId: `req_${randomBytes(12).toString('hex')}`,
    organizationId: id,
    keyId,
    method: 'GET',
    route: '/v1/listings',
    operationId: 'searchListings',
    status: 200,
    code: null,
    message: null,
    param: null,
    units: 3,
    query: null,
    durationMs: 1,
    ip: null,
  });
  const written = async () => {
    const found = await app.services.pool.query(
      `select (select count(*) from request_logs where organization_id = $1) as logged,
              coalesce(sum(requests), 0)::int as requests, coalesce(sum(units), 0)::int as units
         from usage_days where organization_id = $1`,
      [id],
    );
    return found.rows[0];
  };
  return { entry, written };
}

test('a batch of log entries that was written although its statement timed out is counted once', async (t) => {
  const { entry, written } = await caller();
  let isLate = true;
  const query = async (...asked: Parameters<pg.Pool['query']>) => {
    const result = await app.services.pool.query(...asked);
    if (isLate) throw new Error('Query read timeout');
    return result;
  };
  const log = new RequestLogWriter({ query } as unknown as pg.Pool, app.services.logger);
  for (let call = 0; call < 3; call++) log.add(entry());
  await log.flush();
  // Makes the retried batch differ from the first one by an additional call.
  log.add(entry());
  isLate = false;
  await log.flush();
  t.deepEqual(await written(), { logged: 4, requests: 4, units: 12 });
  await log.close();
});

test('while Postgres is unavailable, log entries of one key do not evict those of another key', async (t) => {
  const [many, few] = await Promise.all([caller(), caller()]);
  let isUnavailable = true;
  const query = (...asked: Parameters<pg.Pool['query']>) =>
    isUnavailable ? Promise.reject(new Error('away')) : app.services.pool.query(...asked);
  const log = new RequestLogWriter({ query } as unknown as pg.Pool, app.services.logger);
  for (let call = 0; call < 25_000; call++) log.add(many.entry());
  for (let call = 0; call < 10; call++) log.add(few.entry());
  await log.flush();
  isUnavailable = false;
  await log.close();
  t.is((await few.written()).logged, 10);
  t.is((await many.written()).logged, 5_000);
});

test('request ids are sorted by time', (t) => {
  const times = [0, 1, 255, 256, 1_790_000_000_000, 1_790_000_000_001, 2 ** 47];
  const ids = times.map((time) => requestIdAt(time, randomBytes));
  for (const id of ids) t.regex(id, /^req_[0-9a-f]{24}$/);
  t.deepEqual([...ids].sort(), ids);
  t.not(requestIdAt(5, randomBytes), requestIdAt(5, randomBytes));
});
