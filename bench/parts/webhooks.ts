import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '#accounts/ids.ts';
import { chunks } from '#domain/chunks.ts';
import { type ListingDocument, toDocument } from '#domain/listings/document.ts';
import { readStoredListings } from '#ingest/indexing/documents.ts';
import { createLogger } from '#observability/logger.ts';
import { countRows } from '#postgres/rows.ts';
import type { JsonFilters } from '#queries/filters/json.ts';
import { Random } from '#sample/random.ts';
import { percolate, type Subscription, syncSubscriptions } from '#search/derived-index/percolator.ts';
import { readConfig } from '#src/config.ts';
import { openServices } from '#src/open-services.ts';
import { insertEndpoint, MAX_ENDPOINTS, RUN_END } from '#webhooks/endpoints.ts';
import { newSecret, secretEncryption } from '#webhooks/secrets.ts';
import { startWebhooks } from '#webhooks/worker.ts';
import { type Bench, figure, type PartResult } from '../bench.ts';
import { startChild } from '../child.ts';
import type { Corpus } from '../corpus.ts';

const SUBSCRIPTIONS = 1_000;
/** Above the numbers of all endpoints, because both are stored in one index. */
const FIRST_NUMBER = 1_000_000_000;
const EVENTS = 50_000;
const BATCH = 2_000;
const RECEIVERS = 50;
/** Events that are matched with all receivers: about 10,000 deliveries, because hidden listings match none. */
const EVENTS_OF_RUN = 200;

/** Measures matching, and the time from the end of a run to the last delivery. */
export async function webhooks(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const documents = await bench.screen.step('Reading listings', () =>
    readDocuments(corpus, bench.quick ? EVENTS / 10 : EVENTS),
  );
  const title = `Matching ${documents.length} events with ${SUBSCRIPTIONS} subscriptions`;
  const matched = await bench.screen.step(title, () => measureMatching(bench, corpus, documents));
  const { deliveries, seconds } = await bench.screen.step('Delivering the events of a run', () =>
    measureRun(bench, corpus),
  );
  return {
    figures: [
      figure('events matched per second with 1,000 subscriptions', matched, '/s', { atLeast: 3_000 }),
      figure('deliveries per second on loopback', deliveries / seconds, '/s', { atLeast: 500 }),
      figure(`from the end of a run to the last of ${deliveries.toLocaleString('en')} deliveries`, seconds, 's', {
        atMost: 60,
      }),
    ],
    notes: [
      'Subscriptions are made from listings: city, type and a price range, some with bedrooms, a neighborhood, an amenity or a word.',
      `Deliveries: one worker matches, signs, sends and records; ${RECEIVERS} receivers in another process.`,
    ],
  };
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
function makeSubscriptions(documents: readonly ListingDocument[]): Subscription[] {
  const random = new Random(SUBSCRIPTIONS, 0);
  return Array.from({ length: SUBSCRIPTIONS }, (_, index) => {
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
    return { number: FIRST_NUMBER + index, filters: filters as unknown as JsonFilters };
  });
}

/** @returns events per second */
async function measureMatching(
  { signal }: Bench,
  { client }: Corpus,
  documents: readonly ListingDocument[],
): Promise<number> {
  const subscriptions = makeSubscriptions(documents);
  await syncSubscriptions(client, {
    filled: null,
    recordIntent: async () => {},
    async *read() {
      yield subscriptions;
    },
    numbers: async () => subscriptions.map(({ number }) => number),
  });
  // Warm-up.
  await percolate(client, documents.slice(0, BATCH), null, SUBSCRIPTIONS);
  const begun = performance.now();
  for (const batch of chunks(documents, BATCH)) {
    signal.throwIfAborted();
    await percolate(client, batch, null, SUBSCRIPTIONS);
  }
  return documents.length / ((performance.now() - begun) / 1_000);
}

/** Delivers the last events of the first ingest run. @returns seconds until all are received and recorded */
async function measureRun({ signal }: Bench, corpus: Corpus): Promise<{ deliveries: number; seconds: number }> {
  const { pool } = corpus;
  await pool.query(`delete from organizations where name like 'Bench receivers %'`);
  const receivers = await startChild<number[]>('receivers-process.ts', { RECEIVERS: String(RECEIVERS) });
  const hosts = receivers.first.map((port) => `127.0.0.1:${port}`);
  const config = readConfig({ ...corpus.env, WEBHOOK_PRIVATE_HOSTS: hosts.join(',') });
  const { services, close } = await openServices(config, { logger: createLogger('error', process.stderr) });
  try {
    await makeEndpoints(corpus, hosts);
    const begun = performance.now();
    const stop = startWebhooks(
      { ...services, readListings: (ids) => readStoredListings(pool, ids) },
      { pollMs: 100, mailPollMs: 1_000 },
    );
    const left = () =>
      countRows(
        pool,
        `from webhook_endpoints e where matched_listing <> $1
            or exists (select from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'pending')`,
        [RUN_END],
      );
    while ((await left()) > 0 && !signal.aborted) await sleep(50);
    const seconds = (performance.now() - begun) / 1_000;
    await stop();
    signal.throwIfAborted();
    return {
      deliveries: await countRows(
        pool,
        `from webhook_deliveries where status = 'delivered' and endpoint_id in (select id from webhook_endpoints)`,
      ),
      seconds,
    };
  } finally {
    receivers.kill();
    await close();
  }
}

/** Creates one endpoint per receiver that receives all events of the first ingest run after its position. */
async function makeEndpoints({ pool, config }: Corpus, hosts: readonly string[]): Promise<void> {
  const { rows: organizations } = await pool.query<{ id: number }>(
    `insert into organizations (public_id, name, plan)
     select 'org_receivers_' || n, 'Bench receivers ' || n, 'enterprise' from generate_series(1, $1::int) n returning id`,
    [Math.ceil(hosts.length / MAX_ENDPOINTS)],
  );
  const { rows: cities } = await pool.query<{ city: string }>('select distinct city from listings where served');
  for (const [index, host] of hosts.entries())
    await insertEndpoint(pool, {
      id: newId('whk', randomBytes),
      organizationId: organizations[index % organizations.length]?.id as number,
      url: `http://${host}/`,
      host,
      eventTypes: ['listing.created'],
      filters: { city: cities.map(({ city }) => city) },
      secret: secretEncryption(config.encryptionKeys, randomBytes).encrypt(newSecret(randomBytes)),
      now: new Date(),
    });
  await pool.query(
    `update webhook_endpoints set (matched_run, matched_listing) =
       (select run_id, listing_id from listing_events order by run_id, listing_id desc offset $1 limit 1)`,
    [EVENTS_OF_RUN],
  );
}
