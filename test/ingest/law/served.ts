import { randomBytes } from 'node:crypto';
import { EVENT_TYPES } from '#domain/listings/events.ts';
import { readStoredListings } from '#ingest/indexing/stored-listings.ts';
import { insertEndpoint } from '#src/webhooks/endpoints.ts';
import { type MatchServices, matchEvents } from '#src/webhooks/match.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization } from '#test/factories.ts';
import { partTexts, withExports } from '../../src/exports/app.ts';
import { offPlanGround } from '../off-plan/ground.ts';

/** A pipeline and the service that serves its database and indexes, with a webhook endpoint. */
export type Served = Awaited<ReturnType<typeof startServed>>;

export async function startServed(name: string, filters: Record<string, unknown> = {}) {
  const { pipeline, app: plain } = await offPlanGround(name, []);
  const app = withExports(plain);
  const { key, id } = await createOrganization(app.services);
  /** Ids of the events that were logged as skipped. */
  const skipped: string[] = [];
  let sequence = 0;
  const served = {
    pipeline,
    app,
    key,
    skipped,
    /** Matches released events. @returns the bodies of the new deliveries, oldest first */
    async match(changes: Partial<MatchServices> = {}): Promise<Record<string, unknown>[]> {
      const options: MatchServices = {
        pool: pipeline.pool,
        opensearch: pipeline.client,
        readListings: (ids) => readStoredListings(pipeline.pool, ids),
        config: { siteUrl: 'https://site.test' },
        random: randomBytes,
        clock: Date,
        logger: { error: (fields: object) => void skipped.push(String((fields as { event?: string }).event)) },
        ...changes,
      };
      // Another round of matching may hold the lock.
      await eventually(async () => (await matchEvents(options, AbortSignal.timeout(60_000))) !== null);
      const { rows } = await pipeline.pool.query<{ body: string; sequence: number }>(
        'select body, sequence from webhook_deliveries where sequence > $1 order by sequence',
        [sequence],
      );
      sequence = rows.at(-1)?.sequence ?? sequence;
      return rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    },
    /** Creates an export and waits for it. @returns the text of its parts */
    async export(dataset: string, format: 'ndjson' | 'csv', filters: object): Promise<string> {
      // An organization can create only a few exports per day.
      const owner = await createOrganization(app.services);
      const made = await app.make(owner.key, { dataset, format, filters });
      if (made.status !== 'completed') throw new Error(JSON.stringify(made));
      return (await partTexts(made.files)).join('');
    },
    async close(): Promise<void> {
      await app.close();
      await pipeline.close();
    },
  };
  await insertEndpoint(pipeline.pool, {
    id: 'whk_law',
    organizationId: id,
    url: 'https://hooks.test/',
    host: 'hooks.test:443',
    eventTypes: EVENT_TYPES,
    filters,
    secret: Buffer.alloc(0),
    now: new Date(),
  });
  return served;
}
