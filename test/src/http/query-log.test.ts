import { expireQueryLog } from '#app/workers/housekeeping/jobs.ts';
import { startTestApp } from '#test/app.ts';
import { cli } from '#test/cli.ts';
import { createDatabase } from '#test/engines.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

test('search texts are counted by day without their callers, and only if the log is on', async (t) => {
  const databaseUrl = await createDatabase('query_log');
  for (const isOn of [false, true]) {
    const app = await startTestApp({ env: { DATABASE_URL: databaseUrl, QUERY_LOG: isOn ? 'on' : 'off' } });
    t.teardown(app.close);
    const { pool, queryLog } = app.services;
    const { key } = await createOrganization(app.services);
    const { slug: city } = await app.addCity();
    await indexListings(app.services, [makeListing({ title: 'wurzelbrumpft', location: { city } })]);
    const call = (path: string, query: Record<string, string>) =>
      app.request(`/v1${path}?${new URLSearchParams(query)}`, { key });
    const search = (q: string, path = '/listings') => call(path, { city, listing_type: 'rent', q });
    await search('wurzelbrumpft');
    await search('Wurzelbrumpft', '/listings/count');
    await search('wurzelbrumpfd');
    await search('فِيلا  0501234567 me@example.com');
    await search('!!');
    await call('/listings/parse', { q: 'شقة في الرياض قرب خالتي' });
    await call('/listings', { city, listing_type: 'rent' });
    await queryLog.flush();
    await queryLog.flush();
    const { rows } = await pool.query('select * from query_log order by kind, text');
    const counts = rows.map(({ text, calls, empty, results }) => [text, calls, empty, results]);
    if (!isOn) {
      t.deepEqual(counts, []);
      continue;
    }
    t.deepEqual(Object.keys(rows[0]), ['day', 'kind', 'text', 'calls', 'empty', 'results', 'not_understood']);
    t.deepEqual(counts.slice(0, -1), [
      ['wurzelbrumpfd', 1, 0, 1],
      ['wurzelbrumpft', 2, 0, 1],
      ['فيلا [number] [address]', 1, 1, 0],
    ]);
    t.like(rows.at(-1), { kind: 'sentence', text: 'شقه في الرياض قرب خالتي', calls: 1 });

    const ran = await cli(['--json', 'queries'], { DATABASE_URL: databaseUrl });
    t.is(ran.code, 0, ran.err);
    const lists = JSON.parse(ran.out) as Record<string, { text: string }[]>;
    const texts = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.map(({ text }) => text)]));
    t.is(texts.most_frequent?.[0], 'wurzelbrumpft');
    t.deepEqual(texts.without_results, ['فيلا [number] [address]']);
    t.deepEqual(texts.corrected, ['wurzelbrumpfd']);
    t.deepEqual(texts.not_understood, ['شقه في الرياض قرب خالتي']);

    await pool.query("update query_log set day = day - 31 where text = 'wurzelbrumpft'");
    const client = await pool.connect();
    try {
      t.deepEqual(await expireQueryLog.run(client, new Date()), { deleted: 1 });
    } finally {
      client.release();
    }
  }
});
