import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openServices } from '#app/open-services.ts';
import { readStoredListings } from '#ingest/indexing/stored-listings.ts';
import { newId } from '#src/accounts/ids.ts';
import { readConfig } from '#src/config.ts';
import { createLogger } from '#src/observability/logger.ts';
import { insertEndpoint, MAX_ENDPOINTS, RUN_END } from '#src/webhooks/endpoints.ts';
import { newSecret, secretEncryption } from '#src/webhooks/secrets.ts';
import { startWebhooks } from '#src/webhooks/webhook-worker.ts';
import { countRows } from '#stores/postgres/rows.ts';
import { type Bench, figure, type PartResult } from '../bench.ts';
import { startChild } from '../child.ts';
import type { Corpus } from '../corpus.ts';

const RECEIVERS = 50;
/** Events that are matched with all receivers: about 10,000 deliveries, because hidden listings match none. */
const EVENTS_OF_RUN = 200;

/** Measures the time from the end of a run to the last delivery. */
export async function webhooks(bench: Bench): Promise<PartResult> {
  const corpus = await bench.corpus();
  const { deliveries, seconds } = await bench.screen.step('Delivering events', () => measureRun(bench, corpus));
  return {
    figures: [
      figure('deliveries per second on loopback', deliveries / seconds, '/s'),
      figure('from the end of a run to the last delivery', seconds, 's'),
    ],
    notes: [
      `${deliveries.toLocaleString('en')} deliveries: one worker matches, signs, sends and records; ${RECEIVERS} receivers in another process.`,
    ],
  };
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
