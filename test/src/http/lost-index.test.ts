import { readAliased } from '#stores/opensearch/indexes.ts';
import { settleIndex } from '#stores/postgres/index-registry.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization, indexListings, makeListing, type TestOrganization, unitsUsed } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../../stores/opensearch/own-indexes.ts';

const indexes = ownIndexes();
const { prefix } = indexes;
let app: TestApp;
let organization: TestOrganization;
let city: string;
let cohort: string;
test.before(async () => {
  const env = { INDEX_PREFIX: prefix, DATABASE_URL: await createDatabase('lost_index') };
  app = await startTestApp({ env, indexes: ['history'] });
  organization = await createOrganization(app.services);
  city = (await app.addCity()).slug;
  cohort = `city=${city}&listing_type=rent`;
});
test.after(async () => {
  await app.close();
  await indexes.remove();
});

const engine = (method: string, path: string, body?: object) =>
  app.services.opensearch.transport.request({ method, path, ...(body && { body }) }, { requestTimeout: 60_000 });

test('reads from an empty index in place of the listings are refused without a charge; other reads are served', async (t) => {
  const { opensearch, pool, indexGuard } = app.services;
  const listing = makeListing({ location: { city } });
  await indexListings(app.services, [listing]);
  const shown = await readAliased(opensearch, 'listings');
  if (shown === null) throw new Error('the index is missing');
  await settleIndex(pool, 'listings', { ...shown, run: 0 });
  const { id } = listing.display;
  const read = async (status: number) => {
    for (const path of [`?${cohort}`, `/count?${cohort}`, `/${id}`, `/batch?ids=${id}`]) {
      const response = await app.request(`/v1/listings${path}`, { key: organization.key });
      t.is(response.status, status, path);
      if (status === 503) t.is(response.headers.get('retry-after'), '5', path);
    }
  };
  await read(200);
  const before = await unitsUsed(app.services, organization.id);
  await engine('DELETE', `/${shown.index}`);
  await engine('PUT', `/${shown.index}`, { aliases: { [`${prefix}listings`]: {} } });
  // The guard counts the documents as soon as the new index has its shard.
  await eventually(async () => {
    await indexGuard.refresh();
    return (await app.request('/readyz')).body.data.reason === 'index_lost';
  });
  await read(503);
  t.is(await unitsUsed(app.services, organization.id), before);
  t.is((await app.request(`/v1/market/trends?${cohort}`, { key: organization.key })).status, 200);
});
