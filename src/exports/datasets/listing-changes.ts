import type pg from 'pg';
import { ApiError } from '#domain/errors.ts';
import { integer, type JsonSchema, nullable, number, object, oneOf, string, timestamp } from '#domain/json-schema.ts';
import { EVENT_TYPES } from '#domain/listings/events.ts';
import { timestamp as formatTimestamp } from '#domain/listings/present.ts';
import { LISTING_SCHEMA } from '#domain/listings/schema.ts';
import { filterProperties } from '#queries/filters/json.ts';
import { filterRows } from '#queries/filters/table.ts';
import type { Dataset, Filters, RowBytes } from '../dataset.ts';
import { listingTerms } from './listing-terms.ts';
import { holdListings, listingsOf, PAGE_SIZE, presentationOf } from './read-listings.ts';

const MAX_DAYS = 366;
const DAY = 86_400_000;

/** Filters of events by what the event itself keeps of its listing, and the column that keeps it. */
const PLACE_AND_TYPE = ['city', 'listing_type', 'property_type', 'neighborhood_id'] as const;

const moment = (description: string): JsonSchema => ({ type: 'string', format: 'timestamp', description });
const all = filterProperties(filterRows());

/** What became of listings: every event that went out in a range of time, with the listing as it is now. */
export const listingChangesDataset: Dataset = {
  name: 'listing_changes',
  description: `every created, price_changed and delisted event that was released at or after \`from\` and before \`to\` (at most ${MAX_DAYS} days), each with the listing as it is now, or null. \`to\` defaults to now; \`city\`, \`listing_type\`, \`property_type\` and \`neighborhood_id\` narrow it`,
  scope: 'exports',
  free: false,
  filters: {
    properties: {
      from: moment('First moment.'),
      to: moment('The moment after the last one; now where it is left out.'),
      ...Object.fromEntries(PLACE_AND_TYPE.map((name) => [name, all[name] as JsonSchema])),
    },
    required: ['from'],
  },
  resolve(filters, { now }) {
    const from = Date.parse(String(filters.from));
    const to = filters.to === undefined ? now : Date.parse(String(filters.to));
    const wrong = (param: string, message: string) =>
      new ApiError('invalid_value', { param: `filters.${param}`, message: `\`filters.${param}\` ${message}` });
    if (from > now) throw wrong('from', 'must not be in the future.');
    if (to > now) throw wrong('to', 'must not be in the future.');
    if (to <= from) throw wrong('to', 'must be later than `filters.from`.');
    if (to - from > MAX_DAYS * DAY) throw wrong('from', `must be at most ${MAX_DAYS} days before \`filters.to\`.`);
    return { ...filters, to: filters.to ?? formatTimestamp(now / 1000) };
  },
  row: object({
    id: string,
    type: oneOf(EVENT_TYPES),
    at: timestamp,
    released_at: timestamp,
    listing_id: integer,
    city: string,
    listing_type: string,
    property_type: string,
    neighborhood_id: nullable(integer),
    price_yearly_sar: nullable(number),
    previous_price_yearly_sar: nullable(number),
    listing: nullable(LISTING_SCHEMA),
  }),
  terms: (services) =>
    listingTerms(services, [
      `History begins ${services.config.historyStart}.`,
      'listing is the listing as it was at as_of, and null where it was no longer served then; one that search leaves out as implausible is there.',
      'at is when the change was found, released_at when the service made it known; from and to select by released_at. previous_price_yearly_sar is set for listing.price_changed only.',
      'A listing that appeared and went between two readings of its source makes no event.',
    ]),
  async open(source) {
    const { services, filters, signal } = source;
    // Runs and their events never change once the run is completed, so the runs that are there now fix the rows.
    const runs = await readRuns(services.pool, filters);
    const count = await countEvents(services.pool, runs, filters);
    const pit = await holdListings(source);
    return {
      count,
      async *rows({ sourceLinks }) {
        const presentation = presentationOf(source, sourceLinks);
        for await (const events of readEvents(services.pool, runs, filters)) {
          signal.throwIfAborted();
          const ids = [...new Set(events.map((event) => event.listing_id))];
          const { listings, free } = await listingsOf(services, ids, pit, presentation);
          try {
            yield events.map((event) => rowOf(event, runs, listings.get(event.listing_id)?.json));
          } finally {
            free();
          }
        }
      },
      close: pit.close,
    };
  },
};

interface Event {
  id: string;
  type: string;
  at: number;
  run_id: number;
  listing_id: number;
  city: string;
  listing_type: string;
  property_type: string;
  neighborhood_id: number | null;
  price_yearly_sar: number | null;
  previous_price_yearly_sar: number | null;
}

/** Epoch seconds of their release, by the numbers of the runs. */
type Runs = ReadonlyMap<number, number>;

const NULL = Buffer.from('null');
const CLOSE = Buffer.from('}');

function rowOf({ run_id, at, ...event }: Event, runs: Runs, listing: RowBytes | undefined): RowBytes {
  const { id, type, ...rest } = event;
  const released = formatTimestamp(runs.get(run_id) ?? 0);
  const head = JSON.stringify({ id, type, at: formatTimestamp(at), released_at: released, ...rest });
  return [Buffer.from(`${head.slice(0, -1)},"listing":`), ...(listing ?? [NULL]), CLOSE];
}

async function readRuns(pool: pg.Pool, { from, to }: Filters): Promise<Runs> {
  const { rows } = await pool.query<{ id: number; released: number }>(
    `select id, extract(epoch from completed_at)::float8 as released from ingest_runs
      where status = 'completed' and completed_at >= $1::timestamptz and completed_at < $2::timestamptz order by id`,
    [from, to],
  );
  return new Map(rows.map(({ id, released }) => [id, released]));
}

/** Conditions on events, with their values from the second parameter on; the first is a list of runs. */
function conditions(filters: Filters): { sql: string; values: unknown[] } {
  const given = PLACE_AND_TYPE.filter((name) => filters[name] !== undefined);
  return {
    sql: given.map((name, index) => ` and ${name} = any ($${index + 2})`).join(''),
    values: given.map((name) => filters[name]),
  };
}

async function countEvents(pool: pg.Pool, runs: Runs, filters: Filters): Promise<number> {
  const { sql, values } = conditions(filters);
  const { rows } = await pool.query<{ count: number }>(
    `select count(*) as count from listing_events where run_id = any ($1)${sql}`,
    [[...runs.keys()], ...values],
  );
  return rows[0]?.count ?? 0;
}

/** The events of the runs, run by run in the order of the listings: the order they are stored in. */
async function* readEvents(pool: pg.Pool, runs: Runs, filters: Filters): AsyncGenerator<Event[]> {
  const { sql, values } = conditions(filters);
  const at = values.length + 2;
  for (const run of runs.keys()) {
    for (let after = 0, full = true; full; ) {
      const { rows } = await pool.query<Event>(
        `select id, type, extract(epoch from at)::float8 as at, run_id, listing_id, city, listing_type, property_type,
                neighborhood_id, price_yearly_sar, previous_price_yearly_sar
           from listing_events
          where run_id = any ($1)${sql} and listing_id > $${at} order by listing_id limit ${PAGE_SIZE}`,
        [[run], ...values, after],
      );
      after = rows.at(-1)?.listing_id ?? after;
      full = rows.length === PAGE_SIZE;
      if (rows.length > 0) yield rows;
    }
  }
}
