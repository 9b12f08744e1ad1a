import { LISTING_DOCUMENT_VERSION } from '#domain/listings/document.ts';
import { fillIndexes, rollBack } from '#ingest/fill.ts';
import { planListings } from '#ingest/plan.ts';
import { generationsOf, indexBehind, readAllAliased, writeMeta } from '#stores/opensearch/indexes.ts';
import { findOutdated } from '#stores/opensearch/listing-index/listing-index.ts';
import { test } from '#test/test.ts';
import { startOneSource } from './one-source.ts';
import { ads } from './pipeline.ts';

test('repeated fills keep the last index of another document version, and its release returns to it', async (t) => {
  const { pipeline, source, run, served, fill } = await startOneSource(t, 'reindex-versions');
  const { client, pool, index: listingIndex } = pipeline;
  const alias = client.aliases.listings;
  const serving = async () => (await indexBehind(client, alias)) as string;
  const setVersion = (index: string, version: number) => writeMeta(client, index, { version });
  source.feed = ads(12, 'a');
  await run();
  const earlier = await serving();
  await setVersion(earlier, LISTING_DOCUMENT_VERSION - 1);
  t.like(await findOutdated(client), { index: earlier, readable: true });
  for (let round = 0; round < 3; round++) {
    await fill(['listings']);
    t.true((await generationsOf(client, alias)).includes(earlier), `fill ${round + 1}`);
    t.true((await generationsOf(client, alias)).length <= 3, 'all others but the previous one are deleted');
  }
  source.feed = ads(20, 'a').slice(2);
  await run();
  // As the earlier release sees it.
  for (const index of await generationsOf(client, alias))
    await setVersion(index, LISTING_DOCUMENT_VERSION + (index === earlier ? 0 : 1));
  t.like(await findOutdated(client), { index: await serving(), readable: false });
  const before = await served();
  await rollBack({ pool, listingIndex });
  t.is(await serving(), earlier);
  t.deepEqual(await served(), before);
});

test('an index of a newer release is filled again from Postgres', async (t) => {
  const { pipeline, source, run, served, fill } = await startOneSource(t, 'reindex-newer');
  const { client } = pipeline;
  source.feed = ads(12, 'a');
  await run();
  const before = await served();
  await writeMeta(client, client.aliases.listings, { version: LISTING_DOCUMENT_VERSION + 1 });
  await t.throwsAsync(run(), { message: /of a newer release, .* Run `npm run reindex` of this release/ });
  await fill(['listings']);
  t.is(await findOutdated(client), null);
  t.deepEqual(await served(), before);
});

test('a plan counts the rows that copies receive, and names the served fields that change', async (t) => {
  const { pipeline, source, run, fill, values } = await startOneSource(t, 'reindex-plan');
  const { client, pool } = pipeline;
  source.feed = ads(12, 'a');
  await run();
  const plan = () => planListings(pool, client, new AbortController().signal);
  t.like(await plan(), { documents: { serving: 12, filled: 12 }, rows: 0, fields: {} });
  t.true(((await plan()).disk?.needed ?? 0) > 0);
  // As if this release rendered these listings otherwise.
  await pool.query(`update listing_records set record = (record::jsonb || '{"bedrooms":9}')::text
    where id in (select id from listings where source_listing_id in ('a1', 'a2', 'a3'))`);
  t.like(await plan(), { rows: 3, fields: { bedrooms: 3 } });
  const before = await values();
  await fill(['listings']);
  const moved = [...(await values())].filter(([id, value]) => before.get(id) !== value).map(([id]) => id);
  t.deepEqual(moved.sort(), ['a1', 'a2', 'a3'], 'the fill does what the plan says');
});

test('a fill that waited for another one finds the work done', async (t) => {
  const { pipeline, source, run } = await startOneSource(t, 'reindex-waiting');
  const { client, pool, index: listingIndex } = pipeline;
  source.feed = ads(12, 'a');
  await run();
  const fill = () => fillIndexes(['listings', 'deals'], { pool, listingIndex }, 60_000);
  const filled = await Promise.all([fill(), fill()]);
  t.deepEqual(filled.map((each) => Object.keys(each).length).sort(), [0, 2]);
  const index = await indexBehind(client, client.aliases.listings);
  await fill();
  t.not(await indexBehind(client, client.aliases.listings), index, 'one that did not wait fills');
});

test('an index whose writes are blocked is reported, and a fill of it states the remedy', async (t) => {
  const { pipeline, source, run } = await startOneSource(t, 'reindex-blocked');
  const { client, pool, index: listingIndex } = pipeline;
  source.feed = ads(12, 'a');
  await run();
  const isBlocked = async () => (await readAllAliased(client, { names: ['listings'] })).get('listings')?.isBlocked;
  const block = (index: string, is: boolean | null) =>
    client.send('PUT', `/${index}/_settings`, { body: { index: { 'blocks.read_only_allow_delete': is } } });
  t.false(await isBlocked());
  await block(client.aliases.listings, true);
  t.true(await isBlocked());
  await block(client.aliases.listings, null);
  const blocking = fillIndexes(['listings'], {
    pool,
    listingIndex,
    onProgress: () => {},
    onStep: async (step) => {
      if (step === 'fill') await block(`${client.aliases.listings}-*`, true);
    },
  });
  await t.throwsAsync(blocking, { message: /not filled\. OpenSearch refuses writes.* Free disk space or add a node/ });
  await block(`${client.aliases.listings}-*`, null);
});
