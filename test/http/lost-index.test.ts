import type { StoredListing } from '#domain/listings/listing.ts';
import { settleIndex } from '#postgres/index-registry.ts';
import { readAliased } from '#search/indexes.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { createOrganization, indexListings, makeListing, type TestOrganization, unitsUsed } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../search/own-indexes.ts';

const indexes = ownIndexes();
const { prefix } = indexes;
const ALIAS = `${prefix}listings`;
let env: { INDEX_PREFIX: string; DATABASE_URL: string };
let app: TestApp;
let organization: TestOrganization;
let city: string;
let stored: StoredListing[];
let id: number | undefined;
let cohort: string;
let reads: string[];
test.before(async () => {
  env = { INDEX_PREFIX: prefix, DATABASE_URL: await createDatabase('lost_index') };
  app = await startTestApp({ env, indexes: ['history'] });
  organization = await createOrganization(app.services);
  city = (await app.addCity()).slug;
  stored = Array.from({ length: 30 }, () => makeListing({ location: { city } }));
  id = stored[0]?.display.id;
  cohort = `city=${city}&listing_type=rent`;
  reads = [
    `/v1/listings?${cohort}`,
    `/v1/listings/count?${cohort}`,
    `/v1/listings/${id}`,
    `/v1/listings/batch?ids=${id}`,
  ];
  await indexListings(app.services, stored);
  await settleIndex(app.services.pool, 'listings', { ...(await shown()), run: 0 });
});
test.after(async () => {
  await app.close();
  await indexes.remove();
});

const engine = (method: string, path: string, body?: object) =>
  app.services.opensearch.transport.request({ method, path, ...(body && { body }) }, { requestTimeout: 60_000 });

/** Returns the index of the listings. */
async function shown() {
  const found = await readAliased(app.services.opensearch, 'listings');
  if (found === null) throw new Error('the index is missing');
  return found;
}

/** Returns the statuses of one request of every kind. */
async function read(t: { is(a: unknown, b: unknown, message?: string): unknown }): Promise<number[]> {
  const statuses: number[] = [];
  for (const path of reads) {
    const response = await app.request(path, { key: organization.key });
    statuses.push(response.status);
    if (response.status === 503) {
      t.is(response.body.error.code, 'internal_error', path);
      t.is(response.headers.get('retry-after'), '5', path);
    }
  }
  return statuses;
}

const all = (status: number) => reads.map(() => status);

test('reads from a deleted listings index are refused without a charge; other reads are served', async (t) => {
  t.deepEqual(await read(t), all(200));
  const kept = `${ALIAS}-kept`;
  const { index } = await shown();
  await engine('PUT', `/${index}/_block/write`);
  await engine('PUT', `/${index}/_clone/${kept}`, { settings: { 'index.blocks.write': null } });
  await engine('DELETE', `/${index}`);
  const before = await unitsUsed(app.services, organization.id);
  t.deepEqual(await read(t), all(503));
  t.is(await unitsUsed(app.services, organization.id), before);
  t.is((await app.request(`/v1/market/trends?${cohort}`, { key: organization.key })).status, 200);
  t.is((await app.request('/readyz')).body.data.reason, 'index_lost');

  await engine('PUT', `/${index}`, { aliases: { [ALIAS]: {} } });
  await app.services.indexGuard.refresh();
  t.deepEqual(await read(t), all(503), 'an empty index in its place');
  await engine('DELETE', `/${index}`);

  await engine('POST', '/_aliases', { actions: [{ add: { index: kept, alias: ALIAS } }] });
  await app.services.indexGuard.refresh();
  await app.services.indexGuard.refresh();
  t.deepEqual(await read(t), all(503), 'an index that was not recorded');

  // The index is in the same state as after restoring a snapshot: another uuid but the same name.
  await engine('PUT', `/${kept}/_block/write`);
  await engine('PUT', `/${kept}/_clone/${index}`, { settings: { 'index.blocks.write': null } });
  await engine('POST', '/_aliases', {
    actions: [{ remove_index: { index: kept } }, { add: { index, alias: ALIAS } }],
  });
  await app.services.indexGuard.refresh();
  t.deepEqual(await read(t), all(200));
});

interface HistoryIndex {
  mappings: { properties: { filter: { properties: { location?: object } } } };
  settings: { index: { analysis: object } };
}

test('circle and polygon filters return 503 on an index of an earlier release, which has no points', async (t) => {
  const history = `${prefix}history`;
  const { body } = await engine('GET', `/${history}`);
  const [[index, { mappings, settings }] = [] as never] = Object.entries(body as Record<string, HistoryIndex>);
  delete mappings.properties.filter.properties.location;
  await engine('DELETE', `/${index}`);
  const { analysis } = settings.index;
  // The name matches no template, which would add the field.
  const former = `${prefix}former`;
  await engine('PUT', `/${former}`, { aliases: { [history]: {} }, settings: { analysis }, mappings });
  const filter = Object.fromEntries(new URLSearchParams(cohort));
  // The engine does not evaluate shapes on an index without documents of the range of months.
  const on_market = { months: { gte: 0, lte: 30_000 }, plausible_pooled: true };
  await engine('PUT', `/${former}/_doc/1?refresh=true`, { filter, on_market });
  // The guard may have read the state while no index had the alias.
  await app.services.indexGuard.refresh();
  const trends = (shape: string) => app.request(`/v1/market/trends?${cohort}${shape}`, { key: organization.key });
  t.is((await trends('')).status, 200);
  for (const shape of ['&near=24.7,46.7', '&polygon=24,46;25,46;25,47']) {
    const refused = await trends(shape);
    t.is(refused.status, 503);
    t.is(refused.headers.get('retry-after'), '5');
  }
});
