import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { newId } from '#accounts/ids.ts';
import { chunks } from '#domain/chunks.ts';
import { type ListingDocument, toDocument } from '#domain/listings/document.ts';
import { readStoredListings } from '#ingest/indexing/documents.ts';
import { Random } from '#ingest/sample/random.ts';
import { countRows } from '#postgres/rows.ts';
import type { JsonFilters } from '#queries/filters/json.ts';
import { percolate, type Subscription, syncSubscriptions } from '#search/derived-index/percolator.ts';
import { insertDeliveries } from '#webhooks/deliveries.ts';
import { insertEndpoint, MAX_ENDPOINTS } from '#webhooks/endpoints.ts';
import { eventBody } from '#webhooks/payload.ts';
import { newSecret, secretEncryption } from '#webhooks/secrets.ts';
import { type Bench, figure, type PartResult } from '../bench.ts';
import { startChild } from '../child.ts';
import { type Corpus, deleteStores, openStores, type Stores } from '../corpus/corpus.ts';
import { percentile } from '../load/statistics.ts';
import type { Arrivals, ReceiversRequest } from '../webhook-receivers-process.ts';

const WORKER = new URL('../webhooks-process.ts', import.meta.url);
const RECEIVERS_PROCESS = new URL('../webhook-receivers-process.ts', import.meta.url);

const SUBSCRIPTIONS = [100, 1_000, 10_000] as const;
const EVENTS = 50_000;
const BATCH = 2_000;
const RECEIVERS = 50;
const QUEUED = 20_000;
/** Deliveries per second while delays are measured, and duration of the measurement in seconds. */
const RATE = 250;
const SECONDS = 20;
/** Milliseconds after the last delivery was queued within which all deliveries must have arrived. */
const LATEST = 3_000;
/** Number of deliveries in the run that is measured end to end. */
const MATCHES = 10_000;

/** Measures matching, sending, and the time from the end of a run to the last delivery. */
export async function webhooks(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const stores = await openStores(bench.context, 'bench_webhooks', true, async () => ({}));
  try {
    const documents = await bench.screen.step('Reading listings', () =>
      readDocuments(corpus, bench.options.quick ? EVENTS / 10 : EVENTS),
    );
    const matched = await measureMatching(bench, stores, documents);
    const sent = await measureSending(bench, stores, corpus, documents);
    return result(matched, sent);
  } finally {
    await deleteStores(bench.context, stores);
  }
}

async function readDocuments({ pool }: Corpus, count: number): Promise<ListingDocument[]> {
  const { rows } = await pool.query<{ id: number }>(
    'select id from listings where served and price is not null order by hashint8(id) limit $1',
    [count],
  );
  const documents: ListingDocument[] = [];
  for (const some of chunks(rows, 1_000)) {
    const ids = some.map(({ id }) => id);
    for (const stored of (await readStoredListings(pool, ids)).values()) documents.push(toDocument(stored));
  }
  return documents;
}

/** Creates subscriptions for homes like a random listing: its city and type, and a price range around its price. */
function makeSubscriptions(count: number, documents: readonly ListingDocument[]): Subscription[] {
  const random = new Random(count, 0);
  return Array.from({ length: count }, (_, index) => {
    const { filter } = random.pick(documents);
    const price = filter.price ?? 0;
    const filters = {
      city: [filter.city],
      listing_type: [filter.listing_type],
      property_type: [filter.property_type],
      price_min: Math.round(price * 0.8),
      price_max: Math.round(price * 1.2),
      ...(random.chance(0.5) && filter.beds !== null ? { beds_min: filter.beds } : {}),
      ...(random.chance(0.3) && filter.neighborhood_id !== null ? { neighborhood_id: [filter.neighborhood_id] } : {}),
      ...(random.chance(0.2) && filter.amenities[0] ? { amenities: [filter.amenities[0]] } : {}),
      ...(random.chance(0.1) ? { q: 'غرف' } : {}),
    };
    return { number: index + 1, filters: filters as unknown as JsonFilters };
  });
}

interface Matching {
  subscriptions: number;
  events: number;
  perSecond: number;
  /** Average number of matching subscriptions per event. */
  matches: number;
}

async function measureMatching(
  bench: Bench,
  { client }: Stores,
  documents: readonly ListingDocument[],
): Promise<Matching[]> {
  const results: Matching[] = [];
  for (const count of SUBSCRIPTIONS) {
    const subscriptions = makeSubscriptions(count, documents);
    const events = documents.slice(0, count > 1_000 ? documents.length / 5 : documents.length);
    await bench.screen.step(`Matching ${events.length} events with ${count} subscriptions`, async () => {
      await syncSubscriptions(client, {
        filled: null,
        recordIntent: async () => {},
        async *read() {
          yield* chunks(subscriptions, 1_000);
        },
        numbers: async () => subscriptions.map(({ number }) => number),
      });
      // Warm-up.
      await percolate(client, events.slice(0, BATCH), null, count);
      let matches = 0;
      const begun = performance.now();
      for (const batch of chunks(events, BATCH)) {
        bench.signal.throwIfAborted();
        const found = await percolate(client, batch, null, count);
        matches += found.reduce((sum, { length }) => sum + length, 0);
      }
      const perSecond = events.length / ((performance.now() - begun) / 1_000);
      results.push({ subscriptions: count, events: events.length, perSecond, matches: matches / events.length });
    });
  }
  return results;
}

interface Delays {
  /** Milliseconds from the queue to the receiver. */
  arrived: number[];
  /** Number of deliveries that did not arrive in time. */
  missing: number;
}

async function measureSending(bench: Bench, stores: Stores, corpus: Corpus, documents: readonly ListingDocument[]) {
  const { pool } = stores;
  const receivers = await startChild<number[]>(RECEIVERS_PROCESS, { RECEIVERS: String(RECEIVERS) });
  let stopWorker = () => {};
  try {
    const hosts = receivers.first.map((port) => `127.0.0.1:${port}`);
    const endpoints = await makeEndpoints(stores, hosts, documents);
    const receiving = { ...stores, endpoints };
    const worker = await startChild(WORKER, {
      ...stores.env,
      CORPUS_DATABASE_URL: corpus.config.databaseUrl,
      WEBHOOK_PRIVATE_HOSTS: hosts.join(','),
    });
    stopWorker = worker.kill;
    const setHanging = (hanging: boolean): Promise<Arrivals> => receivers.call({ hanging } satisfies ReceiversRequest);
    const queued = bench.options.quick ? QUEUED / 10 : QUEUED;
    const perSecond = await bench.screen.step(`Sending ${queued} deliveries`, () => drain(bench, receiving, queued));
    const seconds = bench.options.quick ? 5 : SECONDS;
    const delaysOf = async (hanging: boolean): Promise<Delays> => {
      await setHanging(hanging);
      // Delays exclude the first receiver, which may be unresponsive.
      const made = (await trickle(bench, receiving, seconds)).filter(({ endpoint }) => endpoint !== endpoints[0]);
      await sleep(LATEST);
      const arrivals = await setHanging(false);
      const delays = made.map(({ id, at }) => (arrivals[id] ?? Number.POSITIVE_INFINITY) - at);
      const arrived = delays.filter(Number.isFinite);
      return { arrived, missing: delays.length - arrived.length };
    };
    const delays = await bench.screen.step('Delays with all receivers responding', () => delaysOf(false));
    const delaysBesideHanging = await bench.screen.step('Delays with one unresponsive receiver', () => delaysOf(true));
    await pool.query(`delete from webhook_deliveries`);
    const runSeconds = await bench.screen.step(`A run of ${MATCHES} matches to its receivers`, () =>
      wholeRun(bench, pool, documents),
    );
    return { perSecond, delays, delaysBesideHanging, runSeconds };
  } finally {
    receivers.kill();
    stopWorker();
  }
}

/** Creates one endpoint per receiver, subscribed to every listing. */
async function makeEndpoints(
  { pool, config }: Stores,
  hosts: readonly string[],
  documents: readonly ListingDocument[],
): Promise<number[]> {
  const { rows: organizations } = await pool.query<{ id: number }>(
    `insert into organizations (public_id, name, plan)
     select 'org_bench_' || n, 'Bench ' || n, 'enterprise' from generate_series(1, $1::int) n returning id`,
    [Math.ceil(hosts.length / MAX_ENDPOINTS)],
  );
  const cities = [...new Set(documents.map(({ filter }) => filter.city))];
  for (const [index, host] of hosts.entries())
    await insertEndpoint(pool, {
      id: newId('whk', randomBytes),
      organizationId: organizations[index % organizations.length]?.id as number,
      url: `http://${host}/`,
      host,
      eventTypes: ['listing.created'],
      filters: { city: cities },
      secret: secretEncryption(config.encryptionKeys, randomBytes).encrypt(newSecret(randomBytes)),
      now: new Date(),
    });
  const made = await pool.query<{ id: number }>('select id from webhook_endpoints order by id');
  return made.rows.map(({ id }) => id);
}

/** The database of the deliveries, and the endpoints that receive them. */
interface Receiving extends Stores {
  endpoints: readonly number[];
}

/** A queued delivery. */
interface Queued {
  /** Event id. */
  id: string;
  endpoint: number;
  /** Time at which the delivery was queued, in epoch milliseconds. */
  at: number;
}

/** Queues deliveries, alternating between endpoints. */
async function enqueue({ pool, config, endpoints }: Receiving, count: number): Promise<Queued[]> {
  const { rows } = await pool.query<{ first: number }>(
    'select coalesce(max(sequence), 0) + 1 as first from webhook_deliveries',
  );
  const now = new Date();
  const deliveries = Array.from({ length: count }, (_, index) => {
    const sequence = (rows[0]?.first ?? 1) + index;
    const event = {
      id: newId('evt', randomBytes),
      type: 'listing.created' as const,
      at: now,
      listing_id: index,
      city: 'riyadh',
      listing_type: 'rent',
      property_type: 'apartment',
      price_yearly_sar: 50_000,
      previous_price_yearly_sar: null,
    };
    return {
      endpoint: endpoints[index % endpoints.length] as number,
      id: newId('dlv', randomBytes),
      sequence,
      eventId: event.id,
      eventType: event.type,
      listingId: index,
      body: eventBody(event, { siteUrl: config.siteUrl, sequence }),
    };
  });
  for (const some of chunks(deliveries, 5_000)) await insertDeliveries(pool, some, { now });
  return deliveries.map(({ eventId, endpoint }) => ({ id: eventId, endpoint, at: now.getTime() }));
}

const countDeliveries = (pool: pg.Pool, status: 'pending' | 'delivered'): Promise<number> =>
  countRows(pool, 'from webhook_deliveries where status = $1', [status]);

/** @returns deliveries per second, from queueing until received and recorded */
async function drain(bench: Bench, receiving: Receiving, count: number): Promise<number> {
  const { pool } = receiving;
  await enqueue(receiving, 500);
  while ((await countDeliveries(pool, 'pending')) > 0) await sleep(20);
  await enqueue(receiving, count);
  const begun = performance.now();
  while ((await countDeliveries(pool, 'pending')) > 0) {
    bench.signal.throwIfAborted();
    await sleep(100);
  }
  return count / ((performance.now() - begun) / 1_000);
}

/** Queues deliveries at a steady rate. */
async function trickle(bench: Bench, receiving: Receiving, seconds: number): Promise<Queued[]> {
  const made: Queued[] = [];
  const begun = performance.now();
  for (let tick = 0; tick < seconds * 5; tick++) {
    bench.signal.throwIfAborted();
    made.push(...(await enqueue(receiving, RATE / 5)));
    await sleep(Math.max(0, begun + (tick + 1) * 200 - performance.now()));
  }
  return made;
}

/** @returns seconds from the end of a run until all its deliveries have arrived */
async function wholeRun(bench: Bench, pool: pg.Pool, documents: readonly ListingDocument[]): Promise<number> {
  // Resets the offsets, so that endpoints start over.
  await pool.query('update webhook_endpoints set sequence = 0');
  const plausible = documents.filter(({ stats }) => stats.plausible_pooled).slice(0, MATCHES / RECEIVERS);
  const begun = performance.now();
  await pool.query(
    `with run as (
       insert into ingest_runs (id, at, status, sources, trigger, completed_at) values (1, now(), 'completed', '{}', 'bench', now())
     )
     insert into listing_events (run_id, listing_id, id, type, version, at, city, listing_type, property_type, price_yearly_sar)
     select 1, l.id, 'evt_' || l.id, 'listing.created', 1, now(), 'riyadh', 'rent', 'apartment', 50000
       from unnest($1::bigint[]) as l (id)`,
    [plausible.map(({ filter }) => filter.id)],
  );
  while ((await countDeliveries(pool, 'delivered')) < plausible.length * RECEIVERS) {
    bench.signal.throwIfAborted();
    await sleep(50);
  }
  return (performance.now() - begun) / 1_000;
}

function result(matched: readonly Matching[], sent: Awaited<ReturnType<typeof measureSending>>): PartResult {
  const { delays, delaysBesideHanging: beside } = sent;
  const thousand = matched.find(({ subscriptions }) => subscriptions === 1_000);
  const ratio = percentile(beside.arrived, 0.95) / percentile(delays.arrived, 0.95);
  const missing = delays.missing + beside.missing;
  const runTitle = `seconds from the end of a run to the last of ${MATCHES.toLocaleString('en')} deliveries`;
  return {
    tables: [
      {
        title: `Matching, in batches of ${BATCH} events`,
        head: ['Subscriptions', 'events', 'matches per event', 'events per second'],
        rows: matched.map((each) => [each.subscriptions, each.events, each.matches, each.perSecond]),
      },
      {
        title: `Milliseconds from the queue to the receiver, ${RATE} per second to ${RECEIVERS} receivers`,
        head: ['When', 'arrived', 'missing', 'p50', 'p95', 'p99'],
        rows: Object.entries({ 'all respond': delays, 'one unresponsive: the others': beside }).map(([when, each]) => [
          when,
          each.arrived.length,
          each.missing,
          ...[0.5, 0.95, 0.99].map((share) => percentile(each.arrived, share)),
        ]),
      },
    ],
    figures: [
      figure('events matched per second with 1,000 subscriptions', thousand?.perSecond ?? Number.NaN, '/s', {
        atLeast: 3_000,
      }),
      figure('deliveries per second on loopback', sent.perSecond, '/s', { atLeast: 500 }),
      figure('p95 delay with an unresponsive receiver over that without', ratio, '', { atMost: 1.5 }),
      figure(`deliveries to responsive receivers that did not arrive within ${LATEST / 1_000} s`, missing, '', {
        atMost: 0,
      }),
      figure(runTitle, sent.runSeconds, 's', { atMost: 60 }),
    ],
    notes: [
      'Subscriptions are made from listings: city, type and a price range, some with bedrooms, a neighborhood, an amenity or a word.',
      'Sending: one worker process, attempts signed and recorded, receivers of two organizations in another process.',
    ],
  };
}
