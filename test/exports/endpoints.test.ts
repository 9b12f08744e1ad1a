import type { ExecutionContext } from 'ava';
import { type ExportApp, type ExportFileLink, startExportApp } from '#test/exports.ts';
import { createKey, createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { allRows } from '#test/pages.ts';
import { test } from '#test/test.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Offset of the API's clock from the real time in milliseconds. The worker and Postgres use the real time. */
let offset = 0;
const clock = { now: () => Date.now() + offset, chargeTime: () => null };
/** In the second app there is no worker, so that exports remain in the queue. */
let app: ExportApp;
let idle: ExportApp;
let city: string;
test.before(async () => {
  [app, idle] = await Promise.all([
    startExportApp('exports_endpoints', { overrides: { clock } }),
    startExportApp('exports_idle', { worker: null }),
  ]);
  city = (await app.addCity()).slug;
  await indexListings(app.services, [makeListing({ location: { city } }), makeListing({ location: { city } })]);
});
test.after(() => Promise.all([app.close(), idle.close()]));

const LISTINGS = { dataset: 'listings', format: 'ndjson' };

async function refused(t: ExecutionContext, key: string, body: unknown, expected: object, on = idle): Promise<void> {
  const answer = await on.post(key, body);
  t.like(answer.body.error, expected, answer.text);
}

test('a new export is queued and has the same fields as in the list', async (t) => {
  const { key } = await createOrganization(idle.services);
  const { status, body, headers } = await idle.post(key, { ...LISTINGS, filters: { beds: [3] } });
  t.is(status, 201);
  t.like(body.data, {
    status: 'queued',
    dataset: 'listings',
    format: 'ndjson',
    filters: { beds: [3] },
    progress: { rows_written: 0, rows_total: null },
    units: 0,
    error: null,
    started_at: null,
    finished_at: null,
    files_expire_at: null,
  });
  t.deepEqual(body.data.files, []);
  t.regex(body.data.id, /^exp_[0-9a-f]{24}$/);
  t.is(headers.get('x-request-units'), '0');
  t.deepEqual((await idle.request(`/v1/exports/${body.data.id}`, { key })).body, body);
  const { files: _, ...summary } = body.data;
  const list = await idle.request('/v1/exports', { key });
  t.deepEqual(list.body.data, [summary]);
});

test('an export with an invalid body is rejected with an error that contains the path of the property', async (t) => {
  const { key } = await createOrganization(idle.services);
  const now = Date.now();
  const at = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;
  const listings = (filters: unknown): object => ({ ...LISTINGS, filters });
  const changes = (filters: object): object => ({ dataset: 'listing_changes', format: 'ndjson', filters });
  for (const [body, expected] of [
    [{}, 'invalid_body dataset'],
    [{ dataset: 'listings' }, 'invalid_body format'],
    [{ dataset: 'houses', format: 'csv' }, 'invalid_body dataset'],
    [{ ...LISTINGS, format: 'xlsx' }, 'invalid_body format'],
    [{ ...LISTINGS, fliters: {} }, 'invalid_body fliters'],
    [listings([]), 'invalid_body filters'],
    [listings({ xyz: 1 }), 'invalid_body filters.xyz'],
    [listings({ from: '2026-04-01T00:00:00Z' }), 'invalid_body filters.from'],
    [listings({ beds: ['three'] }), 'invalid_body filters.beds.0'],
    [listings({ price_min: '5' }), 'invalid_body filters.price_min'],
    [listings({ listing_type: ['lease'] }), 'invalid_body filters.listing_type.0'],
    [listings({ bbox: [47, 24, 46, 25] }), 'invalid_body filters.bbox'],
    [listings({ updated_since: '2026-04-01T00:00Z' }), 'invalid_body filters.updated_since'],
    [listings({ q: '"' }), 'invalid_value filters.q'],
    [listings({ city: ['atlantis'] }), 'unknown_city filters.city'],
    [listings({ city: [] }), 'invalid_body filters.city'],
    [changes({}), 'invalid_body filters.from'],
    [changes({ from: 'yesterday' }), 'invalid_body filters.from'],
    [changes({ from: at(now), to: at(now - DAY) }), 'invalid_value filters.to'],
    [changes({ from: at(now + DAY) }), 'invalid_value filters.from'],
    [changes({ from: at(now - 367 * DAY) }), 'invalid_value filters.from'],
    [changes({ from: at(now - DAY), beds: [3] }), 'invalid_body filters.beds'],
  ] as const) {
    const { code, param } = (await idle.post(key, body)).body.error;
    t.is(`${code} ${param}`, expected, JSON.stringify(body));
  }
  t.is((await idle.request('/v1/exports', { key })).body.data.length, 0);
});

test('datasets with listings require the Enterprise plan and the exports scope', async (t) => {
  for (const plan of ['free', 'starter', 'growth', 'pro'] as const) {
    const { key } = await createOrganization(idle.services, { plan });
    const message = `The ${plan} plan does not include the \`exports\` scope. The lowest plan that includes it is Enterprise.`;
    await refused(t, key, LISTINGS, { code: 'scope_not_in_plan', param: 'dataset', message });
  }
  const { id, key } = await createOrganization(idle.services);
  const limited = await createKey(idle.services, id, { columns: { scopes: ['market'] } });
  const message =
    'This key is limited to `market`, and the call requires the `exports` scope. Create a key that includes it.';
  await refused(t, limited, LISTINGS, { code: 'scope_not_in_key', message });
  const made = await idle.post(key, LISTINGS);
  const hidden = await idle.request(`/v1/exports/${made.body.data.id}`, { key: limited });
  t.like(hidden.body.error, { code: 'scope_not_in_key' });
  // After a downgrade from Enterprise, an organization receives no more links.
  await idle.services.pool.query(`update organizations set plan = 'pro' where id = $1`, [id]);
  t.is((await idle.request(`/v1/exports/${made.body.data.id}`, { key })).body.error.code, 'scope_not_in_plan');
});

test('an organization can run two exports at a time and twenty per day, even if it sends fifty requests concurrently', async (t) => {
  const { id, key } = await createOrganization(idle.services);
  const answers = await Promise.all(Array.from({ length: 12 }, () => idle.post(key, LISTINGS)));
  t.is(answers.filter(({ status }) => status === 201).length, 2);
  const [conflict] = answers.filter(({ status }) => status !== 201);
  t.is(conflict?.status, 409);
  t.like(conflict?.body.error, { code: 'export_limit', details: { limit: 2, per: 'concurrent' } });
  const end = `update exports set status = 'failed', finished_at = now() where organization_id = $1`;
  for (let made = 2; made < 20; made++) {
    await idle.services.pool.query(end, [id]);
    t.is((await idle.post(key, LISTINGS)).status, 201);
  }
  await idle.services.pool.query(end, [id]);
  await refused(t, key, LISTINGS, { code: 'export_limit', details: { limit: 20, per: 'day' } });
  await idle.services.pool.query(
    `update exports set created_at = date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - interval '1 s' where organization_id = $1`,
    [id],
  );
  t.is((await idle.post(key, LISTINGS)).status, 201);
});

test('an organization cannot access exports of another organization', async (t) => {
  const [mine, theirs] = await Promise.all([createOrganization(app.services), createOrganization(app.services)]);
  const made = await app.make(mine.key, { ...LISTINGS, filters: { city } });
  const answer = await app.request(`/v1/exports/${made.id}`, { key: theirs.key });
  t.is(answer.status, 404);
  t.like(answer.body.error, { code: 'export_not_found', param: 'export_id' });
  t.deepEqual((await app.request('/v1/exports', { key: theirs.key })).body.data, []);
  const test_ = await createKey(app.services, mine.id, { kind: 'test' });
  t.is((await app.request(`/v1/exports/${made.id}`, { key: test_ })).status, 200);
});

test('exports are listed in pages, newest first', async (t) => {
  const { id, key } = await createOrganization(idle.services);
  await idle.services.pool.query(
    `insert into exports (public_id, organization_id, dataset, format, filters, status, created_at, due_at)
     select 'exp_page' || $1::bigint || '_' || n, $1::bigint, 'listings', 'csv', '{}', 'failed', now(), now() from generate_series(1, 120) n`,
    [id],
  );
  t.deepEqual(
    (await allRows(idle, '/v1/exports', key)).map((each) => each.id),
    Array.from({ length: 120 }, (_, index) => `exp_page${id}_${120 - index}`),
  );
});

test('a download link is valid for one hour, and only if it is unchanged', async (t) => {
  const { key } = await createOrganization(app.services);
  const made = await app.make(key, { ...LISTINGS, filters: { city } });
  const [part, manifest] = made.files as [ExportFileLink, ExportFileLink];
  const status = async (url: string | URL): Promise<number> => {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.status;
  };
  t.is(await status(part.url), 200);
  t.is(new URL(part.url).searchParams.get('X-Amz-Expires'), '3600');
  const swapped = new URL(part.url);
  swapped.pathname = new URL(manifest.url).pathname;
  t.is(await status(swapped), 403, 'another file');
  const edited = new URL(part.url);
  edited.pathname = edited.pathname.replace('part-00001', 'part-00002');
  t.is(await status(edited), 403, 'an edited path');
  const longer = new URL(part.url);
  longer.searchParams.set('X-Amz-Expires', '7200');
  t.is(await status(longer), 403, 'a longer lifetime');
  const bare = new URL(part.url);
  bare.search = '';
  t.is(await status(bare), 403, 'no signature');
  // Signed more than an hour ago.
  offset = -HOUR - 5_000;
  const old = (await app.request(`/v1/exports/${made.id}`, { key })).body.data.files[0];
  offset = -HOUR + 60_000;
  const late = (await app.request(`/v1/exports/${made.id}`, { key })).body.data.files[0];
  offset = 0;
  t.is(await status(old.url), 403, 'after one hour');
  t.is(await status(late.url), 200, 'within one hour');
  t.not(late.url, part.url);
});

test('download links expire with the files, 7 days after the export was completed', async (t) => {
  const { key } = await createOrganization(app.services);
  const made = await app.make(key, { ...LISTINGS, filters: { city } });
  t.is(Date.parse(made.files_expire_at), Date.parse(made.finished_at) + 7 * DAY);
  const filesAt = async (time: number): Promise<ExportFileLink[]> => {
    offset = time - Date.now();
    const { body } = await app.request(`/v1/exports/${made.id}`, { key });
    offset = 0;
    t.is(body.data.status, 'completed');
    return body.data.files;
  };
  const expiry = Date.parse(made.files_expire_at);
  const [last] = await filesAt(expiry - HOUR / 2);
  const seconds = Number(new URL(last?.url ?? '').searchParams.get('X-Amz-Expires'));
  t.true(seconds > 0 && seconds <= 1_801, String(seconds));
  t.deepEqual(await filesAt(expiry + 1_000), []);
});

test('a running export reports its progress', async (t) => {
  const { key } = await createOrganization(idle.services);
  const { body } = await idle.post(key, LISTINGS);
  await idle.services.pool.query(
    `update exports set status = 'running', rows_total = 100, rows_written = 40, started_at = now(), due_at = now() + interval '1 h' where public_id = $1`,
    [body.data.id],
  );
  const { data } = (await idle.request(`/v1/exports/${body.data.id}`, { key })).body;
  t.like(data, { status: 'running', progress: { rows_written: 40, rows_total: 100 } });
  t.deepEqual(data.files, []);
});
