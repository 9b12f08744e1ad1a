import { randomInt } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import fc from 'fast-check';
import { type Presentation, type PresentedPage, presentSearchAnswer } from '#domain/listings/present.ts';
import type { SortPosition } from '#domain/sort-position.ts';
import { randomFrom } from '#domain/statistics/random.ts';
import { byIdsBody, searchBody } from '#queries/listings/search.ts';
import { SORT_NAMES, type SortName } from '#queries/listings/sorts.ts';
import { ListingReader } from '#search/listing-reader.ts';
import { openPointInTime } from '#search/point-in-time.ts';
import { createSearchEngine, type SearchEngine } from '#search/read-engine.ts';
import { reindex, rollback } from '#search/reindex/reindex.ts';
import { claimAs } from '#start/claim.ts';
import { testEnv } from '#test/env.ts';
import { makeListing } from '#test/factories.ts';
import { hostileText } from '#test/hostile-text.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from './own-indexes.ts';

/** Random seed. To reproduce a failure, set `READER_SEED` to the seed in its output. */
const SEED = process.env.READER_SEED ?? String(randomInt(2 ** 31));
const STEPS = 200;
const IDS = 40;
const MANY = 2 ** 24;
/** Cache size in bytes that is sufficient for a single listing. */
const ONE = 3_000;

const presentation: Presentation = {
  siteUrl: 'https://homes.test',
  cdnUrl: 'https://images.test',
  now: 1_780_300_000_000,
  sourceLinks: true,
  lastSeen: (source) => (source === 'read' ? 1_780_000_000 : undefined),
};
const without = { ...presentation, sourceLinks: false };

const readerOf = (search: SearchEngine, cacheBytes: number): ListingReader =>
  new ListingReader({ search, addresses: presentation, cacheBytes, timeout: 10_000 });

type Body = Readonly<Record<string, unknown>>;
const isByDigest = (body: Body): boolean => body.stored_fields === '_none_';

const flat = ({ listings, more, last }: PresentedPage): unknown => ({
  rows: listings.map(({ id, json }) => [id, Buffer.concat(json).toString()]),
  more,
  last,
});

/** Returns the pages that the reader presents for both kinds of plan. */
async function served(reader: ListingReader, body: Body, limit: number, kind = 'test') {
  const page = await reader.read(body, { limit, kind, deadline: performance.now() + 10_000 });
  const seen = [presentation, without, presentation].map((as, at) => flat(page.present(at < 2 ? limit : 1, as)));
  page.free();
  return seen;
}

/** Creates a listings index, an engine for it, and a function that returns the same pages directly from the engine. */
async function openOwn(t: ExecutionContext) {
  const own = ownIndexes();
  t.teardown(() => own.remove());
  const urls = testEnv().OPENSEARCH_URL.split(',');
  const engine = createSearchEngine({ urls, indexPrefix: own.prefix, timeout: 10_000, connections: 4 });
  t.teardown(() => engine.close());
  const stored = async (body: Body, limit: number, searched: 'listings' | null = 'listings') => {
    const answer = await engine.searchBytes(searched, body);
    return [presentation, without, presentation].map((as, at) =>
      flat(presentSearchAnswer(answer, at < 2 ? limit : 1, as)),
    );
  };
  return { own, index: await own.open(), engine, stored };
}

test('pages match a search for the stored bytes during writes, reindexes and refreshes', async (t) => {
  const random = randomFrom(SEED);
  const below = (bound: number): number => Math.floor(random() * bound);
  const chance = (share: number): boolean => random() < share;
  const { own, index, engine, stored } = await openOwn(t);
  // Disables automatic refreshes, so that only the test refreshes.
  const holdStill = () => own.client.indices.putSettings({ index: index.alias, body: { refresh_interval: '-1' } });
  await holdStill();

  const texts = fc.sample(hostileText, { numRuns: 60, seed: Number(SEED) });
  const moves: (() => Promise<unknown>)[] = [
    () => reindex(own.client, claimAs(new Date(), false), { sampleSize: IDS }),
    () => rollback(own.client, claimAs(new Date(), false), { sampleSize: IDS }),
    () => rollback(own.client, claimAs(new Date(), false), { sampleSize: IDS }),
    () => reindex(own.client, claimAs(new Date(), false), { sampleSize: IDS }),
  ];
  let version = 1;
  const write = async (count: number): Promise<void> => {
    // A document rewritten with the same version must be visible to readers, but is invisible to a rollback. Versions
    // are therefore reused only after the last rollback.
    if (moves.length > 0 || chance(0.8)) version++;
    const ids = new Set(Array.from({ length: count }, () => 1 + below(IDS)));
    await index.bulk(
      [...ids].map((id) => {
        if (chance(0.1)) return { op: 'delete', id, version };
        const text = () => texts[below(texts.length)] ?? '';
        const price = { yearly_sar: 1_000 * (10 + below(20)), previous_yearly_sar: 1_000 * below(40) };
        const display = { id, title: text(), description: `${version} ${text()}`, price };
        const hidden = {
          source: chance(0.5) ? 'read' : 'never',
          source_listing_id: text(),
          first_seen: 1_779_000_000 + below(1_000_000),
        };
        return { op: 'index', id, version, stored: makeListing(display, hidden) };
      }),
    );
  };
  await write(3 * IDS);
  await index.refresh();

  /** Runs between a search for digests and the next request. */
  let meanwhile: (() => Promise<void>) | null = null;
  const watched: SearchEngine = {
    ...engine,
    searchPooled: async (target, body, options) => {
      const answer = await engine.searchPooled(target, body, options);
      const change = meanwhile;
      if (change && isByDigest(body)) {
        meanwhile = null;
        await change();
      }
      return answer;
    },
  };
  const readers = [MANY, ONE, 0].map((bytes) => readerOf(watched, bytes));
  let after: SortPosition | null = null;
  let sort: SortName = 'newest';
  for (let step = 1; step <= STEPS; step++) {
    if (step % Math.floor(STEPS / (moves.length + 1)) === 0) {
      await moves.shift()?.();
      await holdStill();
    } else {
      const dice = below(20);
      if (dice < 3) await write(1 + below(4));
      else if (dice < 5) await index.refresh();
    }
    const limit = 1 + below(IDS);
    if (after === null || chance(0.4)) {
      sort = SORT_NAMES[below(SORT_NAMES.length)] ?? 'newest';
      after = null;
    }
    const filters = { city: 'riyadh', listing_type: 'rent', near: [24.7, 46.7] as const, radius_m: 50_000 };
    const byIds = chance(0.2);
    const body = byIds
      ? byIdsBody(Array.from({ length: limit }, () => 1 + below(IDS)))
      : searchBody({ filters, sort, size: limit + 1, after }, { now: presentation.now });
    for (const reader of readers) {
      const before = await stored(body, limit);
      meanwhile = chance(0.1)
        ? async () => {
            await write(1 + below(6));
            await index.refresh();
          }
        : null;
      const seen = await served(reader, body, limit);
      meanwhile = null;
      if (JSON.stringify(seen) !== JSON.stringify(before)) {
        const then = await stored(body, limit);
        t.deepEqual(seen, then, `READER_SEED=${SEED} step ${step} ${JSON.stringify(reader.reads())}`);
      }
      if (!byIds) after = (seen[0] as PresentedPage).last;
    }
  }
  const [many, one, none] = readers.map((reader) => reader.reads());
  t.true((many?.by_digest ?? 0) > STEPS / 5, JSON.stringify(many));
  t.is(one?.entries, 1);
  t.deepEqual([none?.by_digest, none?.entries], [0, 0]);
});

test('a page of cached listings takes one request for digests, and a page of a new kind takes one request for stored bytes', async (t) => {
  const { index, engine, stored } = await openOwn(t);
  const put = async (ids: readonly number[], version: number) => {
    await index.bulk(
      ids.map((id) => ({ op: 'index', id, version, stored: makeListing({ id, area_sqm: 100 + version }) })),
    );
    await index.refresh();
  };
  const ids = Array.from({ length: 60 }, (_, at) => at + 1);
  await put(ids, 1);
  let asked: string[] = [];
  const counting: SearchEngine = {
    ...engine,
    searchPooled: (target, body, options) => {
      asked.push(isByDigest(body) ? 'digests' : `${body.size} rows`);
      return engine.searchPooled(target, body, options);
    },
  };
  const reader = readerOf(counting, MANY);
  const page = async (limit: number, kind: string, after: SortPosition | null = null) => {
    asked = [];
    const filters = { city: 'riyadh', listing_type: 'rent' };
    const body = searchBody({ filters, sort: 'updated_asc', size: limit + 1, after }, { now: 0 });
    t.deepEqual(await served(reader, body, limit, kind), await stored(body, limit));
    return asked;
  };
  t.deepEqual(await page(50, 'a'), ['51 rows']);
  t.is(reader.reads().entries, 0, 'a listing requested once is not cached');
  t.deepEqual(await page(50, 'a'), ['51 rows']);
  t.is(reader.reads().entries, 50);
  t.deepEqual(await page(50, 'a'), ['51 rows'], 'the pages before were of unknown listings');
  t.deepEqual(await page(50, 'a'), ['digests']);
  t.deepEqual(await page(50, 'b'), ['51 rows'], 'of another kind nothing is expected');
  await put([3, 4], 2);
  t.deepEqual(await page(50, 'b'), ['digests', '2 rows'], 'missing listings are fetched in one request');
  t.deepEqual(await page(50, 'b'), ['digests']);
  for (let version = 3; version < 12; version++) {
    await put(ids, version);
    asked = await page(50, 'a');
  }
  t.deepEqual(asked, ['51 rows'], 'where all is new each time, pages are read whole');
  const { hits, misses, entries, bytes, max_bytes } = reader.reads();
  t.true(hits > 0 && misses > 0 && entries > 60 && bytes > 60_000 && bytes < max_bytes);
});

test('pages are consistent even if one node has not refreshed', async (t) => {
  const { own, index, engine, stored } = await openOwn(t);
  const put = async (id: number, version: number) => {
    await index.bulk([{ op: 'index', id, version, stored: makeListing({ id, area_sqm: 100 + version }) }]);
    await index.refresh();
  };
  for (const id of [1, 2, 3]) await put(id, 1);
  const behind = await openPointInTime(own.client, index.alias, '1m');
  t.teardown(() => behind.close());
  await put(2, 2);
  await index.bulk([{ op: 'delete', id: 3, version: 2 }]);
  await index.refresh();

  let turn = 0;
  /** An engine that sends requests to the two nodes alternately. */
  const nodes: SearchEngine = {
    ...engine,
    searchPooled: (target, body, options) =>
      turn++ % 2 === 0
        ? engine.searchPooled(null, { ...body, pit: behind.clause }, options)
        : engine.searchPooled(target, body, options),
  };
  const body = searchBody({ filters: { city: 'riyadh', listing_type: 'rent' }, sort: 'newest', size: 11 }, { now: 0 });
  const states = [await stored({ ...body, pit: behind.clause }, 10, null), await stored(body, 10)];
  t.notDeepEqual(states[0], states[1]);
  for (const bytes of [MANY, ONE, 0]) {
    const reader = readerOf(nodes, bytes);
    for (let page = 0; page < 20; page++) {
      const seen = JSON.stringify(await served(reader, body, 10));
      t.true(states.some((state) => JSON.stringify(state) === seen));
    }
  }
});
