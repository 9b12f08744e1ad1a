import { isDeepStrictEqual } from 'node:util';
import type { ExecutionContext } from 'ava';
import fc from 'fast-check';
import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import { EVENT_TYPES } from '#domain/listings/events.ts';
import { timestamp } from '#domain/listings/present.ts';
import type { Progress } from '#ingest/run/run-report.ts';
import { readPriceHistory } from '#stores/postgres/price-history.ts';
import { seeded } from '#test/random.ts';
import { testSource } from '../run/pipeline.ts';
import { isWatched, type LoggedChange, PriceModel, SOURCES } from './price-model.ts';
import { type Served, startServed } from './served.ts';

const START = Date.parse('2026-03-09T03:00:00Z');
const DAYS_BETWEEN_RUNS = 9;
/** Stages in which a run is interrupted and resumed, at random. */
const STAGES = ['fetch', 'identity', 'quality', 'index', 'history'];

interface Options {
  homes: number;
  runs: number;
  seed: number;
}

/** Compares what the readers of history return with the model, after runs of random feeds. */
async function checkFeeds(t: ExecutionContext, served: Served, { homes, runs, seed }: Options): Promise<void> {
  const random = seeded(seed);
  const model = new PriceModel(homes, random);
  const sources = SOURCES.map((name) => testSource(name));
  const { pool } = served.pipeline;
  const log: LoggedChange[] = [];
  for (let run = 0; run < runs; run++) {
    model.change();
    for (const [at, source] of sources.entries()) source.feed = model.feed(at);
    const time = START + run * DAYS_BETWEEN_RUNS * 86_400_000;
    const isLast = run === runs - 1;
    const followed = !isLast && random() < 0.2;
    const stage = random() < 0.4 ? STAGES[Math.floor(random() * STAGES.length)] : undefined;
    const stop = new AbortController();
    const onProgress = (progress: Progress): void => {
      if (progress.stage !== stage) return;
      stop.abort(new Error('interrupted'));
      throw stop.signal.reason;
    };
    const ingest = (options: object) =>
      served.pipeline.run(sources, new Date(time).toISOString(), { followed, ...options });
    const interrupted = await ingest({ onProgress, signal: stop.signal }).catch((error: Error) => {
      t.is(error.message, 'interrupted');
      return null;
    });
    // A run that did not reach the stage is complete.
    const report = interrupted ?? (await ingest({}));
    t.deepEqual([report.held, report.failed], [{}, {}]);
    const changes = model.run(time);
    log.push(...changes);
    const keys = await keysOf(served);
    const { rows } = await pool.query(
      `select listing_id as id, type, price_yearly_sar as price, previous_price_yearly_sar as previous, reason
         from listing_events where run_id = $1`,
      [report.run],
    );
    const logged = rows.map(({ id, ...change }) => ({ listing: keys.get(id) as string, ...change }));
    expectSame(t, `events of run ${run}`, byListing(logged), byListing(changes));
    const delivered = await served.match();
    const sent = changes.filter(({ listing, type }) => isWatched(listing) && isPublic(type));
    const messages = delivered.map(({ type, data }) => {
      const { listing_id, price_yearly_sar: price, previous_price_yearly_sar: previous = null } = data as Data;
      return { listing: keys.get(listing_id) as string, type: String(type), price, previous, reason: null };
    });
    expectSame(t, `deliveries of run ${run}`, byListing(messages), byListing(sent.map(withoutReason)));
    // All documents are many.
    if (!followed && (run % 3 === 1 || isLast)) await checkDocuments(t, served, model, keys);
  }
  // Created and relisted; delisted for two reasons; changed while shown or hidden; hidden for three reasons.
  t.is(new Set(log.map(({ type, reason }) => `${type} ${reason}`)).size, 9);
  checkChain(t, log);
  await checkHistories(t, served, model);
  const range = { from: new Date(START).toISOString(), to: new Date(START + 366 * 86_400_000 - 1_000).toISOString() };
  const exported = (await served.export('listing_changes', 'ndjson', range)).split('\n').filter((line) => line !== '');
  const keys = await keysOf(served);
  const lines = exported.map((line) => {
    const { listing_id, type, at, price_yearly_sar, previous_price_yearly_sar } = JSON.parse(line);
    return [`${keys.get(listing_id)} ${type} ${at}`, [price_yearly_sar, previous_price_yearly_sar]] as const;
  });
  t.is(lines.length, log.length);
  t.is(new Set(lines.map(([key]) => key)).size, lines.length);
}

interface Data {
  listing_id: number;
  price_yearly_sar: number;
  previous_price_yearly_sar?: number;
}

const isPublic = (type: string): boolean => (EVENT_TYPES as readonly string[]).includes(type);
const withoutReason = (change: LoggedChange): LoggedChange => ({ ...change, reason: null });
const byListing = (changes: readonly LoggedChange[]) => new Map(changes.map((change) => [change.listing, change]));

/** Shows the first differences only. */
function expectSame<Value>(
  t: ExecutionContext,
  what: string,
  found: ReadonlyMap<string, Value>,
  expected: ReadonlyMap<string, Value>,
): void {
  const keys = [...new Set([...found.keys(), ...expected.keys()])];
  const other = keys.filter((key) => !isDeepStrictEqual(found.get(key), expected.get(key)));
  const shown = other.slice(0, 5).map((key) => ({ key, found: found.get(key), expected: expected.get(key) }));
  t.deepEqual(shown, [], `${what}: ${other.length} of ${keys.length} differ`);
}

/** Ads by listing id. */
async function keysOf({ pipeline }: Served): Promise<Map<number, string>> {
  const { rows } = await pipeline.pool.query('select id, source, source_listing_id as ad from listings');
  return new Map(rows.map(({ id, source, ad }) => [id, `${source}/${ad}`]));
}

const adsOf = (model: PriceModel) => model.homes.flatMap(({ ads }) => ads);

/** The documents of searches, and the first page of the largest falls. */
async function checkDocuments(
  t: ExecutionContext,
  { app, key, pipeline }: Served,
  model: PriceModel,
  keys: ReadonlyMap<number, string>,
): Promise<void> {
  await pipeline.index.refresh();
  const query = { exists: { field: 'stats.plausible_pooled' } };
  const { body } = await pipeline.client.search({
    index: pipeline.index.alias,
    body: {
      size: 10_000,
      _source: ['display.id', 'display.price'],
      query,
      post_filter: { term: { 'stats.plausible_pooled': true } },
    },
  });
  const found = body.hits.hits.map(({ _source }) => {
    const { id, price } = (_source as unknown as { display: { id: number; price: Record<string, number | null> } })
      .display;
    return [
      keys.get(id) as string,
      { yearly: price.yearly_sar, previous: price.previous_yearly_sar, changed: price.changed_at },
    ] as const;
  });
  const expected = adsOf(model).flatMap((each) => {
    const price = PriceModel.served(each);
    return price
      ? [[each.key, { ...price, changed: price.changed === null ? null : timestamp(price.changed / 1_000) }] as const]
      : [];
  });
  expectSame<unknown>(t, 'documents', new Map(found), new Map(expected));
  const drops = expected.flatMap(([of, { yearly, previous }]) =>
    !isWatched(of) && previous !== null && previous > yearly ? (previous - yearly) / previous : [],
  );
  const page = await app.request('/v1/listings?city=riyadh&listing_type=rent&sort=price_drop&limit=100', { key });
  const shown = page.body.data.map(
    ({ price }: { price: Record<string, number> }) =>
      1 - (price.yearly_sar as number) / (price.previous_yearly_sar as number),
  );
  const rounded = (values: readonly number[]): number[] => values.map((value) => Math.round(value * 1e9));
  t.deepEqual(rounded(shown), rounded(drops.sort((a, b) => b - a).slice(0, 100)));
}

/** Price histories of served listings, and the months of trends. */
async function checkHistories(t: ExecutionContext, served: Served, model: PriceModel): Promise<void> {
  const { pool } = served.pipeline;
  const keys = [...(await keysOf(served))];
  const ads = new Map(adsOf(model).map((each) => [each.key, each]));
  const found = new Map<string, unknown>();
  const expected = new Map<string, unknown>();
  const { rows } = await pool.query('select id from listings where served');
  const isServed = new Set(rows.map(({ id }) => id));
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      for (let next = keys.pop(); next !== undefined; next = keys.pop()) {
        const [id, key] = next;
        const { prices } = ads.get(key) as { prices: { at: number; price: number }[] };
        found.set(key, await readPriceHistory(pool, id, new Date(8.64e15)));
        const history = prices.map(({ at, price }, of) => ({
          at: at / 1_000,
          price,
          previous: prices[of - 1]?.price ?? null,
        }));
        expected.set(key, isServed.has(id) ? history : null);
      }
    }),
  );
  expectSame(t, 'price histories', found, expected);
  const last = Math.max(...adsOf(model).flatMap(({ months }) => [...months.keys()]));
  const months = await pool.query(
    `select l.source || '/' || l.source_listing_id || ' ' || month as key, h.price
       from listing_months h join listings l on l.id = h.listing_id
      cross join generate_series(h.first_month::int, least(h.last_month::int, $1)) as month`,
    [last],
  );
  expectSame(
    t,
    'months',
    new Map(months.rows.map(({ key, price }) => [key, price])),
    new Map(
      adsOf(model).flatMap(({ key, months }) =>
        [...months].map(([month, price]) => [`${key} ${month}`, price] as const),
      ),
    ),
  );
}

/** Each previous price is the price of the event before it. */
function checkChain(t: ExecutionContext, log: readonly LoggedChange[]): void {
  const prices = new Map<string, number>();
  for (const { listing, type, price, previous } of log) {
    if (type === 'listing.price_changed') t.is(previous, prices.get(listing) as number, listing);
    prices.set(listing, price);
  }
}

/** Checks the law with new feeds for a number of seconds, at least once. */
export async function checkPriceLaw(t: ExecutionContext, name: string, size: Omit<Options, 'seed'>, seconds = 0) {
  t.timeout(seconds * 1_000 + 20 * 60_000);
  const seed = fc.readConfigureGlobal().seed ?? Date.now() % 2 ** 31;
  const until = performance.now() + seconds * 1_000;
  for (let round = 0; round === 0 || performance.now() < until; round++) {
    t.log(`seed ${seed + round}`);
    const served = await startServed(`${name}_${round}`, { city: ['jeddah'] });
    try {
      for (const city of CITIES) await served.app.addCity(city, neighborhoodsOf(city.slug));
      await checkFeeds(t, served, { ...size, seed: seed + round });
    } finally {
      await served.close();
    }
  }
}
