import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { EventType } from '#domain/listings/events.ts';
import type { StoredListing } from '#domain/listings/listing.ts';
import { type MatchCounts, matchEvents } from '#src/webhooks/match.ts';
import { startWebhooks, type WebhookWorkerOptions } from '#src/webhooks/webhook-worker.ts';
import { ADMIN_REQUEST, OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { createPool } from '#stores/postgres/pool.ts';
import { type Administered, administered } from '#test/administration.ts';
import { startTestApp, type TestAppOptions } from '#test/app.ts';
import { createDatabase, removeIndexes } from '#test/engines.ts';
import { eventId } from '#test/event-id.ts';
import { eventually } from '#test/eventually.ts';
import { makeListing } from '#test/factories.ts';
import { listen } from '#test/listen.ts';
import { workers } from '#test/workers.ts';

/** A request that a webhook receiver has received. */
export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A webhook receiver on this machine. */
export interface Receiver {
  /** Host and port. */
  host: string;
  url: string;
  received: ReceivedRequest[];
  /** Sends the response. Defaults to status 200 with the body `ok`. */
  answer: (request: ReceivedRequest, response: ServerResponse) => void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const { url: path = '', headers } = request;
    const call = { path, headers, body: Buffer.concat(chunks).toString('utf8') };
    receiver.received.push(call);
    receiver.answer(call, response);
  });
  const { host, url, close } = await listen(server);
  const receiver: Receiver = {
    host,
    url: `${url}/`,
    received: [],
    answer: (_, response) => response.end('ok'),
    close,
  };
  return receiver;
}

/** An event to be logged for a run. */
interface LoggedEvent {
  listing: StoredListing;
  type?: EventType;
  previous?: number;
}

/**
 * The service with separate webhooks: a database, indexes, an adjustable clock, and an event log to which tests can add
 * events.
 */
export type WebhookApp = Awaited<ReturnType<typeof startWebhookApp>>;

export type WebhookAppOptions = TestAppOptions & { privateHosts: readonly string[] };

export async function startWebhookApp(name: string, { privateHosts, env, overrides }: WebhookAppOptions) {
  let offset = 0;
  const now = (): number => Date.now() + offset;
  const app = await startTestApp({
    env: {
      DATABASE_URL: await createDatabase(name),
      INDEX_PREFIX: `${process.env.INDEX_PREFIX ?? ''}${name}_`,
      WEBHOOK_PRIVATE_HOSTS: privateHosts.join(','),
      ...env,
    },
    indexes: ['webhooks'],
    overrides: { clock: { now, chargeTime: () => null }, ...overrides },
  });
  const { services } = app;
  const owner = await administered(app);
  const city = (await app.addCity()).slug;
  const listings = new Map<number, StoredListing>();
  const readListings = async (ids: readonly number[]) =>
    new Map(ids.flatMap((id) => [[id, listings.get(id)] as const]).filter(([, found]) => found)) as Map<
      number,
      StoredListing
    >;
  const pool = createPool(services.config.databaseUrl, { max: 2, statementTimeout: 30_000 });
  const opensearch = new OpenSearch({ ...services.config.opensearch, ...ADMIN_REQUEST });
  const { start: startWorker, stopAll } = workers<WebhookWorkerOptions>((options) =>
    startWebhooks({ ...services, readListings }, { pollMs: 50, ...options }),
  );
  return {
    ...app,
    owner,
    city,
    now,
    /** Advances the clock by a number of milliseconds. */
    pass: (ms: number): void => {
      offset += ms;
    },
    /** Creates a listing for event matching. */
    listing(...[display = {}, hidden = {}]: Parameters<typeof makeListing>): StoredListing {
      const made = makeListing({ ...display, location: { city, ...display.location } }, hidden);
      listings.set(made.display.id, made);
      return made;
    },
    /** Records a completed run with events, in the order of their listings. @returns the event ids */
    async run(events: readonly LoggedEvent[]): Promise<string[]> {
      const { rows } = await pool.query<{ id: number }>(
        `insert into ingest_runs (id, at, status, sources, trigger, completed_at)
         select coalesce(max(id), 0) + 1, $1, 'completed', '{}', 'test', $1 from ingest_runs returning id`,
        [new Date(now())],
      );
      const run = rows[0]?.id as number;
      const logged = events.map(({ listing, type = 'listing.created', previous = null }) => ({
        run_id: run,
        listing_id: listing.display.id,
        id: eventId(type, listing.display.id, run),
        type,
        version: run,
        at: new Date(now()),
        city: listing.display.location.city,
        listing_type: listing.display.listing_type,
        property_type: listing.display.property_type,
        price_yearly_sar: listing.display.price.yearly_sar,
        previous_price_yearly_sar: previous,
      }));
      await pool.query('insert into listing_events select * from json_populate_recordset(null::listing_events, $1)', [
        JSON.stringify(logged),
      ]);
      return logged.sort((a, b) => a.listing_id - b.listing_id).map(({ id }) => id);
    },
    async match(): Promise<MatchCounts> {
      const matched = await matchEvents(
        { ...services, pool, opensearch, readListings, clock: { now } },
        AbortSignal.timeout(60_000),
      );
      if (matched === null) throw new Error('another matches');
      return matched;
    },
    async subscribe(url: string, body: object = {}, by: Administered = owner): Promise<{ id: string; secret: string }> {
      const {
        status,
        body: answer,
        text,
      } = await by.post('/webhooks', {
        url,
        event_types: ['listing.created', 'listing.price_changed', 'listing.delisted'],
        filters: { city },
        ...body,
      });
      if (status !== 201) throw new Error(text);
      return answer.data;
    },
    deliveries: (id: string, status?: string) =>
      owner.all(`/webhooks/${id}/deliveries${status === undefined ? '' : `?status=${status}`}`),
    startWorker,
    until: (isSo: () => boolean | Promise<boolean>) => eventually(isSo),
    async close(): Promise<void> {
      await stopAll();
      await Promise.all([pool.end(), opensearch.close()]);
      await app.close();
      await removeIndexes(services.config.opensearch.indexPrefix);
    },
  };
}
