import { LISTING_TYPES } from '#domain/listing-vocabulary.ts';
import { messageOf } from '#domain/message-of.ts';
import { searchBody } from '#queries/listings/search.ts';
import { endpoints } from '#src/endpoints/index.ts';
import { examplePath } from '#src/http/example-path.ts';
import type { Services } from '#src/services.ts';

/** Milliseconds after which a process is ready in any case. */
const LIMIT_MS = 10_000;
/** Repeated, so that V8 compiles the code of frequent calls. */
const PASSES = 3;
/** The first cities of the gazetteer, which are the largest. */
const CITIES = 4;
/** Newest listings of each city and listing type. */
const LISTINGS = 1_000;
/** Connections of each pool. */
const CONNECTIONS = 4;

interface WarmUp {
  services: Pick<Services, 'chargePool' | 'clock' | 'listings' | 'logger' | 'places' | 'pool'>;
  /** Calls an operation without a charge or log entry. */
  get(url: string): Promise<{ status: number }>;
  limitMs?: number;
}

/**
 * Opens connections, reads the newest listings of the largest cities into memory, and calls each operation of data with
 * its documented example, so that the first calls of customers load no module and compile no schema.
 */
export async function warmUp({ services, get, limitMs = LIMIT_MS }: WarmUp): Promise<void> {
  const { chargePool, clock, listings, logger, places, pool } = services;
  const begun = performance.now();
  const deadline = begun + limitMs;
  const faults = new Set<string>();
  const attempt = async (read: () => Promise<unknown>): Promise<void> => {
    if (performance.now() < deadline) await read().catch((error: unknown) => faults.add(messageOf(error)));
  };
  const ids: number[] = [];
  const readNewest = async (city: string, listing_type: (typeof LISTING_TYPES)[number]): Promise<void> => {
    const input = { filters: { city, listing_type }, sort: 'newest', size: LISTINGS } as const;
    const rows = await listings.read(searchBody(input, { now: clock.now() }), { deadline });
    ids.push(...rows.map(({ sort }) => Number(sort.at(-1))));
  };
  const call = async (url: string): Promise<void> => {
    const { status } = await get(url);
    if (status >= 500) throw new Error(`${status} ${url}`);
  };

  const connections = [chargePool, pool].flatMap((each) => Array.from({ length: CONNECTIONS }, () => each));
  await attempt(() => Promise.all(connections.map((each) => each.query('select 1'))));
  for (const { slug } of places.cities().slice(0, CITIES))
    for (const type of LISTING_TYPES) await attempt(() => readNewest(slug, type));
  const operations = endpoints.filter(({ audience, method }) => audience === 'data' && method === 'GET');
  for (let pass = 0; pass < PASSES; pass++) {
    const id = ids[pass];
    const ofListing: Readonly<Record<string, string>> = id === undefined ? {} : { id: String(id) };
    for (const operation of operations)
      await attempt(() => call(examplePath(operation, operation.path.startsWith('/v1/listings/') ? ofListing : {})));
  }

  const outcome = { ms: Math.round(performance.now() - begun), listings: ids.length };
  if (faults.size > 0) logger.warn({ ...outcome, faults: [...faults].slice(0, 5) }, 'started without warm caches');
  else if (ids.length === 0) logger.warn(outcome, 'started with an empty index');
  else logger.info(outcome, 'warm');
}
