import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { type RequestLogEntry, RequestLogWriter } from '#src/observability/request-log.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await sharedApp();
});

test('a batch of log entries that was written although its statement timed out is counted once', async (t) => {
  const { id } = await createOrganization(app.services);
  const keys = await app.services.pool.query<{ id: number }>('select id from api_keys where organization_id = $1', [
    id,
  ]);
  const entry = (): RequestLogEntry => ({
    at: new Date(),
    requestId: `req_${randomBytes(12).toString('hex')}`,
    organizationId: id,
    keyId: keys.rows[0]?.id ?? 0,
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
  await log.close();
  const { rows } = await app.services.pool.query(
    `select (select count(*) from request_logs where organization_id = $1) as logged,
            coalesce(sum(requests), 0)::int as requests, coalesce(sum(units), 0)::int as units
       from usage_days where organization_id = $1`,
    [id],
  );
  t.deepEqual(rows, [{ logged: 4, requests: 4, units: 12 }]);
});
