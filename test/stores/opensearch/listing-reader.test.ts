import { randomInt } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import fc from 'fast-check';
import { type PreparedRow, type Presentation, positionOf, prepareHits, presentRows } from '#domain/listings/present.ts';
import type { ListingsResponse } from '#domain/listings/stored-form.ts';
import type { SortPosition } from '#domain/sort-position.ts';
import { randomFrom } from '#domain/statistics/random.ts';
import { byIdsBody, searchBody } from '#queries/listings/search.ts';
import { SORT_NAMES, type SortName } from '#queries/listings/sorts.ts';
import { ListingReader } from '#stores/opensearch/listing-reader.ts';
import { createSearchEngine, type SearchEngine } from '#stores/opensearch/read-engine.ts';
import { testEnv } from '#test/env.ts';
import { makeListing } from '#test/factories.ts';
import { hostileText } from '#test/hostile-text.ts';
import { test } from '#test/test.ts';
import { ownIndexes, refill } from './own-indexes.ts';

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

/** Returns the rows as presented for both kinds of plan. */
const presented = (rows: readonly PreparedRow[]) =>
  [presentation, without].map((as) =>
    presentRows(rows, as).map(({ id, sort, json }) => [id, sort.slice(-2), Buffer.concat(json).toString()]),
  );

const served = async (reader: ListingReader, body: Body, scan = false) =>
  presented(await reader.read(body, { scan, deadline: performance.now() + 10_000 }));

/** Creates a listings index, an engine for it, and a function that returns the same pages directly from the engine. */
async function openOwn(t: ExecutionContext) {
  const own = ownIndexes();
  t.teardown(() => own.remove());
  const urls = testEnv().OPENSEARCH_URL.split(',');
  const engine = createSearchEngine({ urls, indexPrefix: own.prefix, timeout: 10_000, connections: 4 });
  t.teardown(() => engine.close());
  const stored = async (body: Body) => {
    const { hits } = await engine.search<ListingsResponse>('listings', body);
    return presented(prepareHits(hits.hits, presentation));
  };
  return { own, index: await own.open(), engine, stored };
}

test('pages match a search for the documents during writes, reindexes and refreshes', async (t) => {
  const random = randomFrom(SEED);
  const below = (bound: number): number => Math.floor(random() * bound);
  const chance = (share: number): boolean => random() < share;
  const { own, index, engine, stored } = await openOwn(t);
  // Disables automatic refreshes, so that only the test refreshes.
  const holdStill = () => own.client.indices.putSettings({ index: index.alias, body: { refresh_interval: '-1' } });
  await holdStill();

  const texts = fc.sample(hostileText, { numRuns: 60, seed: Number(SEED) });
  const moves: (() => Promise<unknown>)[] = [1, 2, 3, 4].map(() => () => refill(own.client));
  let version = 1;
  const write = async (count: number): Promise<void> => {
    if (chance(0.8)) version++;
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
    search: async <T>(...[target, body, options]: Parameters<SearchEngine['search']>) => {
      const answer = await engine.search<T>(target, body, options);
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
      const before = await stored(body);
      meanwhile = chance(0.1)
        ? async () => {
            await write(1 + below(6));
            await index.refresh();
          }
        : null;
      const seen = await served(reader, body, chance(0.1));
      meanwhile = null;
      if (JSON.stringify(seen) !== JSON.stringify(before)) {
        const then = await stored(body);
        t.deepEqual(seen, then, `READER_SEED=${SEED} step ${step} ${JSON.stringify(reader.reads())}`);
      }
      if (!byIds) after = positionAfter(seen, limit);
    }
  }
  const [many, one, none] = readers.map((reader) => reader.reads());
  t.true((many?.hits ?? 0) > (many?.misses ?? 0), JSON.stringify(many));
  t.is(one?.entries, 1);
  t.deepEqual([none?.hits, none?.entries], [0, 0]);
});

/** Returns the position of the last row of a page, or null if the next page is the first. */
function positionAfter([rows = []]: ReturnType<typeof presented>, limit: number): SortPosition | null {
  const row = rows.length > limit ? rows[limit - 1] : undefined;
  return row === undefined ? null : positionOf({ sort: row[1] as unknown[] });
}
