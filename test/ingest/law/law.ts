import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ExecutionContext } from 'ava';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import { toDocument } from '#domain/listings/document.ts';
import { EVENT_TYPES } from '#domain/listings/events.ts';
import type { StoredListing } from '#domain/listings/listing.ts';
import { readStoredListings } from '#ingest/indexing/stored-listings.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import type { ProjectRow } from '#ingest/off-plan/sources/index.ts';
import type { RawProject } from '#ingest/off-plan/sources/raw.ts';
import type { RunReport } from '#ingest/run/run-state.ts';
import type { FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import { allRows } from '#test/pages.ts';
import { project, testProjects } from '../off-plan/ground.ts';
import { ad, testSource } from '../run/pipeline.ts';
import { AD_VALUES, type AnyRow, PROJECT_VALUES, type RowOptions, rowsOf } from './rows.ts';
import { type Served, startServed } from './served.ts';

const DAY_MS = 86_400_000;
/** Concurrent requests. */
const AT_ONCE = 8;
/** Rows of each feed beyond those with one odd value. At most 500 events of a run reach a webhook endpoint. */
const SINGLE_ROWS = 20;
const RANDOM_ROWS = 60;
/** Searches by the words of listings, for each city and listing type. */
const TEXT_SEARCHES = 5;

const rawOf = (row: FeedRow | ProjectRow): AnyRow => (row.ok ? { ...row.raw } : {});
const feedRow = (raw: AnyRow): FeedRow => ({ ok: true, raw: raw as unknown as RawListing, row: raw });
const projectRow = (raw: AnyRow): ProjectRow => ({ ok: true, raw: raw as unknown as RawProject, row: raw });

/** Returns the values as text, as in a feed without types. Arbitrary objects may have no string form. */
const asText = (row: AnyRow): AnyRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      Array.isArray(value) || typeof value === 'string' || value == null ? value : (JSON.stringify(value) ?? ''),
    ]),
  );

/**
 * Checks that rows of any content affect no other row, source, event or listing: accepted rows reach every output, and
 * rejected rows have a reason.
 */
class Law {
  readonly #t: ExecutionContext;
  readonly #served: Served;
  readonly #ads = testSource('law_ads');
  readonly #projects = testProjects('law_ads');
  readonly #witness = testSource('zz_witness');
  #run = 0;
  #at = Date.parse('2026-03-01T03:00:00Z');
  #failures: string[] = [];
  #rows = 0;
  #accepted = 0;

  constructor(t: ExecutionContext, served: Served) {
    this.#t = t;
    this.#served = served;
  }

  /** Runs ingest twice, the second time with other values in half of the rows, and checks all outputs after each run. */
  async round(round: number, seed: number): Promise<void> {
    const singles = round === 0;
    const rows = (name: string, options: RowOptions): AnyRow[] =>
      rowsOf(AD_VALUES, (at) => rawOf(ad(`${name}${round}-${at}`)), options);
    const typed = rows('a', { singles, count: singles ? SINGLE_ROWS : RANDOM_ROWS * 2, seed });
    const ads = [...typed, ...rows('t', { singles: false, count: RANDOM_ROWS, seed: seed + 1 }).map(asText)];
    const projects = rowsOf(PROJECT_VALUES, (at) => rawOf(project(`p${round}-${at}`)), {
      singles,
      count: RANDOM_ROWS,
      seed,
    });
    this.#ads.feed = ads.map(feedRow);
    this.#projects.feed = projects.map(projectRow);
    await this.#ingest();

    const others = rows('a', { singles: false, count: ads.length, seed: seed + 3 });
    this.#ads.feed = ads.flatMap((row, at) => {
      if (at % 11 === 0) return [];
      if (at % 2 === 0)
        return [feedRow({ ...row, price: typeof row.price === 'number' ? row.price * 0.9173 : row.price })];
      return [feedRow({ ...(others[at % others.length] as AnyRow), source_listing_id: row.source_listing_id })];
    });
    this.#projects.feed = [...projects].reverse().flatMap((row, at) => (at % 7 === 0 ? [] : [projectRow(row)]));
    await this.#ingest();
  }

  /** Fails the test if the law is broken. */
  end(): void {
    this.#t.deepEqual(this.#failures.slice(0, 20), []);
    this.#t.true(this.#accepted > this.#rows / 4, `${this.#accepted} of ${this.#rows} rows were accepted`);
  }

  get failed(): boolean {
    return this.#failures.length > 0;
  }

  async #ingest(): Promise<void> {
    this.#run += 1;
    this.#at += DAY_MS;
    this.#witness.feed = [ad(`w${this.#run}`), ad(`w${this.#run - 1}`), ad('w')];
    const { pool } = this.#served.pipeline;
    // Feeds whose content changes entirely are accepted, as if an operator had released them.
    await pool.query('update source_states set released = true');
    let report: RunReport;
    try {
      report = await this.#served.pipeline.run([this.#ads, this.#witness], new Date(this.#at).toISOString(), {
        projectSources: [this.#projects],
      });
    } catch (error) {
      this.#failures.push(`the run failed: ${(error as Error).message}`);
      return;
    }
    const { statistics, indexGuard, sourceClock } = this.#served.app.services;
    statistics.clear();
    // A later refresh would change the time at which unchanged ads were last seen, between a search and an export.
    await Promise.all([indexGuard.refresh(), sourceClock.refresh()]);
    this.#expect(Object.keys(report.failed).length === 0, 'no source fails', report.failed);
    await this.#checkRejects(report);
    const served = await this.#readServed();
    // A row can have the facts of a witness, which is then a copy of it.
    const witness = await pool.query(
      `select from listings w where source = 'zz_witness'
          and (served or withdrawn_at is null and exists (select from listings l where l.id = w.duplicate_of and l.served))`,
    );
    this.#expect(witness.rowCount === 3 || this.#run === 1, 'ads of other sources are served', witness.rowCount);
    await this.#checkListings(served);
    await this.#checkSearch(served);
    await this.#checkEvents(report.run);
    await this.#checkProjects();
    await this.#checkStatistics();
  }

  #expect(holds: boolean, what: string, found: unknown): void {
    if (!holds) this.#failures.push(`run ${this.#run}: ${what}: ${show(found)}`);
  }

  /** Every row is stored or has a reason that operators see. */
  async #checkRejects(report: RunReport): Promise<void> {
    const { rows } = await this.#served.pipeline.pool.query<{ source: string; reason: string; detail: string }>(
      'select source, reason, detail from ingest_rejects where run_id = $1',
      [report.run],
    );
    for (const { source, reason, detail } of rows)
      this.#expect(reason !== '' && detail !== '', `a reject of ${source} has a reason`, { reason, detail });
    for (const { stage, source, kept, dropped, details } of report.stages) {
      if (stage !== 'fetch') continue;
      const rejected = Object.values(dropped).reduce((sum, count) => sum + count, 0);
      this.#rows += Number(details.rows);
      this.#accepted += kept;
      this.#expect(kept + rejected === Number(details.rows), `every row of ${source} has an outcome`, {
        kept,
        dropped,
        details,
      });
      const shown = new Set(rows.filter((row) => row.source === source).map(({ reason }) => reason));
      // Values that were left out of stored ads.
      const unread = Object.keys(details).flatMap((name) =>
        name.startsWith('unread_') ? `${name.slice('unread_'.length)}_unreadable` : [],
      );
      this.#expect(
        isDeepStrictEqual([...shown].sort(), [...Object.keys(dropped), ...unread].sort()),
        `every reason of ${source} is shown`,
        { shown: [...shown], dropped, unread },
      );
    }
  }

  async #readServed(): Promise<Map<number, StoredListing>> {
    const { pool } = this.#served.pipeline;
    const { rows } = await pool.query<{ id: number }>('select id from listings where served order by id');
    return readStoredListings(
      pool,
      rows.map(({ id }) => id),
    );
  }

  /** The detail, the price history, the pages and the link of every served listing. */
  async #checkListings(served: ReadonlyMap<number, StoredListing>): Promise<void> {
    const { app, key, pipeline } = this.#served;
    const { documents } = await pipeline.snapshot();
    this.#expect(documents.length === served.size, 'the index has every served listing', [
      documents.length,
      served.size,
    ]);
    const { rows } = await pipeline.pool.query<{ listing: number; prices: (number | null)[] }>(
      'select listing_id as listing, array_agg(price_yearly_sar order by at) as prices from listing_prices group by 1',
    );
    const prices = new Map(rows.map((row) => [row.listing, row.prices]));
    await each([...served], async ([id, stored]) => {
      const row = `${stored.private.source} ${show(stored.private.source_listing_id)}`;
      const detail = await this.#get(`/v1/listings/${id}`, row);
      const { price, financing } = detail?.data ?? stored.display;
      for (const amount of [
        price.yearly_sar,
        price.previous_yearly_sar,
        price.as_posted?.amount,
        financing.rent_now_pay_later_monthly_sar,
      ])
        this.#expect(isAmount(amount), `amounts of ${row}`, price);
      const history = await this.#get(`/v1/listings/${id}/price-history`, row);
      const found = history?.data.prices.map((each: AnyRow) => each.price_yearly_sar);
      this.#expect(isDeepStrictEqual(found, prices.get(id) ?? []), `prices of ${row}`, [found, prices.get(id)]);
      for (const path of [`/listings/${id}`, `/ar/listings/${id}`]) await this.#get(path, row);
      const { status, headers } = await app.request(`/r/${id}`, { key });
      const location = headers.get('location') ?? '';
      this.#expect(status === 302 && /^https?:\/\/[!-~]+$/.test(location), `/r/${id} of ${row}`, [status, location]);
    });
  }

  /** Search, facets and both formats of exports contain the plausible listings, with the content of the detail. */
  async #checkSearch(served: ReadonlyMap<number, StoredListing>): Promise<void> {
    const shown = [...served.values()].filter((stored) => toDocument(stored).stats.plausible_pooled);
    const groups = Object.groupBy(
      shown,
      ({ display }) => `city=${display.location.city}&listing_type=${display.listing_type}`,
    );
    const details = new Map<number, AnyRow>();
    for (const [query, listings = []] of Object.entries(groups)) {
      const found = await this.#all(`/v1/listings?${query}&limit=100`);
      for (const listing of found) details.set(listing.id, listing);
      this.#expectIds(`search by ${query}`, found, listings.map(displayOf));
      await this.#get(`/v1/listings/count?${query}`, query);
      for (const { display } of listings.slice(0, TEXT_SEARCHES)) {
        const text = encodeURIComponent((display.title ?? display.description).slice(0, 40).toWellFormed());
        const path = `/v1/listings?${query}&q=${text}`;
        const { status, text: found } = await this.#served.app.request(path, { key: this.#served.key });
        this.#expect(status === 200 || status === 400, path, [status, found.slice(0, 300)]);
      }
      await this.#get(`/v1/listings/facets?${query}&fields=property_type,neighborhood_id`, query);
    }
    const rows = jsonRowsOf(await this.#export('listings', 'ndjson', {}));
    this.#expectIds('the NDJSON export', rows, shown.map(displayOf));
    for (const row of rows) {
      const detail = details.get(row.id as number);
      const other = Object.keys({ ...row, ...detail }).filter((name) => !isDeepStrictEqual(row[name], detail?.[name]));
      const values = other.map((name) => [name, row[name], detail?.[name]]);
      this.#expect(other.length === 0, 'the export equals search', [row.id, values]);
    }
    const records = recordsOf(await this.#export('listings', 'csv', {}));
    this.#expectIds('the CSV export', records, shown.map(displayOf));
    for (const record of records) {
      const { price } = details.get(Number(record.id)) as { price: { yearly_sar: number } };
      this.#expect(record['price.yearly_sar'] === String(price.yearly_sar), 'the CSV export has the price', record);
    }
  }

  /** Exports of changes have every event of the run, and webhooks those of their types. */
  async #checkEvents(run: number): Promise<void> {
    const { pool } = this.#served.pipeline;
    const { rows: events } = await pool.query<{ id: string; listing: number; type: string }>(
      'select id, listing_id as listing, type from listing_events where run_id = $1 order by listing_id',
      [run],
    );
    const sent = events.filter(({ type }) => (EVENT_TYPES as readonly string[]).includes(type));
    const delivered = await this.#served.match().catch((error: unknown) => {
      this.#expect(false, 'events are matched with webhooks', (error as Error).message);
      return [];
    });
    this.#expectIds('webhooks', delivered, sent);
    this.#expect(this.#served.skipped.length === 0, 'no event is skipped', this.#served.skipped);
    const range = { from: new Date(this.#at).toISOString(), to: new Date(this.#at + DAY_MS).toISOString() };
    const changes = jsonRowsOf(await this.#export('listing_changes', 'ndjson', range));
    this.#expectIds('the NDJSON export of changes', changes, events);
    this.#expectIds(
      'the CSV export of changes',
      recordsOf(await this.#export('listing_changes', 'csv', range)),
      events,
    );
  }

  async #checkProjects(): Promise<void> {
    const { rows } = await this.#served.pipeline.pool.query<{ id: number }>(
      'select id from off_plan_projects where document is not null',
    );
    this.#expectIds('the list of projects', await this.#all('/v1/projects?limit=100'), rows);
    await each(rows, async ({ id }) => {
      const detail = await this.#get(`/v1/projects/${id}`, `project ${id}`);
      for (const amount of [detail?.data.price.min_sar, detail?.data.price.max_sar])
        this.#expect(isAmount(amount), `amounts of project ${id}`, detail?.data.price);
      await this.#get(`/v1/projects/${id}/units`, `project ${id}`);
    });
    await this.#get('/v1/developers', 'developers');
  }

  async #checkStatistics(): Promise<void> {
    const names = [
      'summary',
      'price-distribution',
      'area-distribution',
      'supply',
      'vacancy',
      'neighborhoods',
      'trends',
    ];
    for (const type of ['rent', 'sale'])
      await each([...names.map((name) => `/v1/market/${name}`), '/v1/listings/map', '/v1/deals'], async (path) => {
        const query = `city=riyadh&listing_type=${type}${path.endsWith('/map') ? '&bbox=46,24,47.5,25.5' : ''}`;
        const { status, text } = await this.#served.app.request(`${path}?${query}`, { key: this.#served.key });
        this.#expect(status < 500, `${path}?${query}`, [status, text.slice(0, 300)]);
      });
    await each(['/', '/ar', '/coverage', '/status', '/sitemap.xml'], (path) => this.#get(path, path));
  }

  // biome-ignore lint/suspicious/noExplicitAny: the body of a response under test
  async #get(path: string, what: string): Promise<any> {
    try {
      const { status, body, text } = await this.#served.app.request(path, { key: this.#served.key });
      this.#expect(status === 200, `${path} of ${what}`, [status, text.slice(0, 300)]);
      return status === 200 ? body : null;
    } catch (error) {
      this.#expect(false, `${path} of ${what}`, (error as Error).message);
      return null;
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: rows of a response under test
  #all(path: string): Promise<any[]> {
    return allRows(this.#served.app, path, this.#served.key).catch((error: unknown) => {
      this.#expect(false, path, (error as Error).message);
      return [];
    });
  }

  async #export(dataset: string, format: 'ndjson' | 'csv', filters: object): Promise<string> {
    try {
      return await this.#served.export(dataset, format, filters);
    } catch (error) {
      this.#expect(false, `the ${format} export of ${dataset}`, (error as Error).message);
      return '';
    }
  }

  /** @param found rows, or their ids */
  #expectIds(what: string, found: Iterable<unknown>, expected: readonly { id: number | string }[]): void {
    const have = new Set([...found].map((row) => String((row as { id?: unknown }).id ?? row)));
    const want = new Set(expected.map(({ id }) => String(id)));
    const missing = [...want].filter((id) => !have.has(id));
    const surplus = [...have].filter((id) => !want.has(id));
    this.#expect(missing.length + surplus.length === 0, `${what} has every row once`, { missing, surplus });
  }
}

/** Returns whether a value is missing, or has at most two decimals. */
const isAmount = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'number' && Number(value.toFixed(2)) === value);

const displayOf = ({ display }: StoredListing) => display;

const jsonRowsOf = (text: string): AnyRow[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AnyRow);

const recordsOf = (text: string): Record<string, string>[] =>
  text === '' ? [] : (parse(text, { columns: true, bom: true }) as Record<string, string>[]);

function show(value: unknown): string {
  return (typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value))).slice(0, 1_000);
}

async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
    }),
  );
}

/** Checks the law with generated rows for a number of seconds, in at least one round. */
export async function checkLaw(t: ExecutionContext, name: string, seconds: number): Promise<void> {
  t.timeout(seconds * 1_000 + 20 * 60_000);
  const seed = fc.readConfigureGlobal().seed ?? randomInt(2 ** 31);
  const served = await startServed(name);
  try {
    for (const city of CITIES) await served.app.addCity(city, neighborhoodsOf(city.slug));
    const law = new Law(t, served);
    const until = performance.now() + seconds * 1_000;
    for (let round = 0; round === 0 || (performance.now() < until && !law.failed); round++)
      await law.round(round, seed + round * 10);
    law.end();
  } finally {
    await served.close();
  }
}
