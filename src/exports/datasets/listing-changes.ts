import type pg from 'pg';
import { RequestError } from '#domain/errors.ts';
import { amount, integer, type JsonSchema, nullable, object, oneOf, string, timestamp } from '#domain/json-schema.ts';
import { CHANGE_REASONS } from '#domain/listings/changes.ts';
import { isGone, LOGGED_TYPES } from '#domain/listings/events.ts';
import { LISTING_SCHEMA } from '#domain/listings/listing-schema.ts';
import { timestamp as formatTimestamp } from '#domain/listings/present.ts';
import { filterProperties } from '#queries/filters/compile.ts';
import { filterRows } from '#queries/filters/table.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Dataset, FilterRange, Filters, RowBytes } from '../dataset.ts';
import { listingsOf, listingTerms, openSnapshot, PAGE_SIZE, presentationOf } from './read-listings.ts';

const MAX_DAYS = 366;
const DAY = 86_400_000;

const PLACE_AND_TYPE = ['city', 'listing_type', 'property_type', 'neighborhood_id'] as const;

/** Milliseconds that a release time, set by Postgres, may be ahead of this process's clock. */
const CLOCK_SKEW = 60_000;

const moment = (description: string): JsonSchema => ({ type: 'string', format: 'timestamp', description });
const all = filterProperties(filterRows());

/** Ranges by the time of the change, or of its release. */
const RANGES: readonly FilterRange[] = [
  { from: 'from', to: 'to' },
  { from: 'released_from', to: 'released_to' },
];

export const listingChangesDataset: Dataset = {
  name: 'listing_changes',
  description: `every event of a range of at most ${MAX_DAYS} days, each with the current listing, or null: created, price_changed, hidden, relisted, delisted, and updated for a listing that moved to another city or listing type. \`position\` is that of \`GET /listings/changes\`. Events are selected by the time when they happened (\`at\`, from \`from\` to before \`to\`), or, to synchronize a copy, by the time when they were released (\`released_at\`, from \`released_from\` to before \`released_to\`). \`to\` and \`released_to\` default to now; \`city\`, \`listing_type\`, \`property_type\` and \`neighborhood_id\` filter the events`,
  scope: 'exports',
  free: false,
  filters: {
    properties: {
      from: moment('Start of the range of `at`, inclusive.'),
      to: moment('End of the range of `at`, exclusive. Defaults to now.'),
      released_from: moment('Start of the range of `released_at`, inclusive: the `watermark` of the previous export.'),
      released_to: moment('End of the range of `released_at`, exclusive. Defaults to all released events.'),
      ...Object.fromEntries(PLACE_AND_TYPE.map((name) => [name, all[name] as JsonSchema])),
    },
    required: [],
    ranges: RANGES,
  },
  resolve(filters, { now }) {
    const range = RANGES.find(({ from }) => filters[from] !== undefined) as FilterRange;
    const latest = range.from === 'released_from' ? now + CLOCK_SKEW : now;
    const from = Date.parse(String(filters[range.from]));
    const end = filters[range.to];
    const to = end === undefined ? now : Date.parse(String(end));
    const wrong = (param: string, message: string) =>
      new RequestError('invalid_value', { param: `filters.${param}`, message: `\`filters.${param}\` ${message}` });
    if (from > latest) throw wrong(range.from, 'must not be in the future.');
    if (end !== undefined && to <= from) throw wrong(range.to, `must be later than \`filters.${range.from}\`.`);
    if (to - from > MAX_DAYS * DAY)
      throw wrong(range.from, `must be at most ${MAX_DAYS} days before \`filters.${range.to}\`.`);
    return range.to === 'to' ? { ...filters, to: filters.to ?? formatTimestamp(now / 1000) } : filters;
  },
  row: object({
    id: string,
    position: nullable(integer),
    type: oneOf(LOGGED_TYPES),
    at: timestamp,
    released_at: timestamp,
    listing_id: integer,
    city: string,
    listing_type: string,
    property_type: string,
    neighborhood_id: nullable(integer),
    price_yearly_sar: nullable(amount),
    previous_price_yearly_sar: nullable(amount),
    reason: { type: ['string', 'null'], enum: CHANGE_REASONS },
    merged_into: nullable(integer),
    listing: nullable(LISTING_SCHEMA),
  }),
  terms: (services) =>
    listingTerms(services, [
      `History begins ${services.config.historyStart}.`,
      'listing is the state of the listing at as_of, or null if it was no longer served then. Listings that search excludes as implausible are included.',
      'at is the time of the change, released_at the time at which the service released the event: from and to select by at, released_from and released_to by released_at. previous_price_yearly_sar is set for listing.price_changed only.',
      'Events released before watermark are complete. An export with released_from set to watermark continues from there without a gap.',
      'position orders events as GET /listings/changes does. It is null for events of releases that had no positions. With reason left_filter, only the earlier city or listing type of a listing matches the filters, and listing is null.',
      'Changes of content alone are no events: export listings with modified_since, or read GET /listings/changes.',
      'A listing that appeared and went between two readings of its source makes no event.',
    ]),
  async open(source) {
    const { services, filters, signal } = source;
    // Completed runs never change, so this list determines the rows.
    const { runs, watermark } = await readRuns(services.pool, filters);
    const count = await countEvents(services.pool, runs, filters);
    return openSnapshot(source, 'listings', async (pit) => ({
      count,
      watermark,
      async *rows({ sourceLinks }) {
        const presentation = presentationOf(source, sourceLinks);
        for await (const events of readEvents(services.pool, runs, filters)) {
          signal.throwIfAborted();
          const ids = [...new Set(events.map((event) => event.listing_id))];
          const listings = await listingsOf(services, ids, pit, presentation);
          yield events.map((event) =>
            rowOf(event, runs, event.has_left ? undefined : listings.get(event.listing_id)?.json),
          );
        }
      },
    }));
  },
};

const EVENT = {
  id: sql.text,
  position: sql.nullable(sql.integer),
  type: sql.text,
  at: sql.number,
  run_id: sql.integer,
  listing_id: sql.integer,
  city: sql.text,
  listing_type: sql.text,
  property_type: sql.text,
  neighborhood_id: sql.nullable(sql.integer),
  price_yearly_sar: sql.nullable(sql.amount),
  previous_price_yearly_sar: sql.nullable(sql.amount),
  reason: sql.nullable(sql.text),
  merged_into: sql.nullable(sql.integer),
  /** Whether only the earlier city and listing type match the filters. */
  has_left: sql.boolean,
};
type Event = sql.RowOf<typeof EVENT>;

/** Release times in epoch seconds, by run number. */
type Runs = ReadonlyMap<number, number>;

const NULL = Buffer.from('null');
const CLOSE = Buffer.from('}');

function rowOf(
  { run_id, at, has_left: hasLeft, ...event }: Event,
  runs: Runs,
  listing: RowBytes | undefined,
): RowBytes {
  const { id, position, type, reason, merged_into, ...rest } = event;
  const released = formatTimestamp(runs.get(run_id) ?? 0);
  const times = { at: formatTimestamp(at), released_at: released };
  const why = {
    reason: hasLeft && !isGone(type) ? 'left_filter' : reason,
    merged_into,
  };
  const head = JSON.stringify({ id, position, type, ...times, ...rest, ...why });
  return [Buffer.from(`${head.slice(0, -1)},"listing":`), ...(listing ?? [NULL]), CLOSE];
}

/**
 * The watermark is 1 µs after the last release, or `released_to` if earlier; `completeRun` ensures that no later
 * release precedes it. Events have the timestamp of their run, so filters on `at` also select runs.
 */
async function readRuns(pool: pg.Pool, filters: Filters): Promise<{ runs: Runs; watermark: string | null }> {
  const { from, to, released_from, released_to } = filters;
  const rows = await sql.queryRows(
    pool,
    { id: sql.nullable(sql.integer), released: sql.nullable(sql.number), watermark: sql.nullable(sql.text) },
    `with completed as (select id, at, completed_at from ingest_runs where status = 'completed'),
     latest as (select max(completed_at) + interval '1 microsecond' as time from completed)
     select id, extract(epoch from completed_at)::float8 as released,
            to_char(case when time is not null then least(time, $4::timestamptz) end at time zone 'UTC',
                    'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as watermark
       from latest left join completed on at >= coalesce($1::timestamptz, '-infinity') and at < coalesce($2::timestamptz, 'infinity')
        and completed_at >= coalesce($3::timestamptz, '-infinity') and completed_at < coalesce($4::timestamptz, 'infinity')
      order by id`,
    [from ?? null, to ?? null, released_from ?? null, released_to ?? null],
  );
  const runs = new Map(
    rows.flatMap(({ id, released }) => (id === null || released === null ? [] : [[id, released] as const])),
  );
  return { runs, watermark: rows[0]?.watermark ?? null };
}

/** Filters that a listing can leave, so that they also match its state before the event. */
const LEFT = ['city', 'listing_type'] as const;

/** @param runs the values of `$1`, before those of the filters */
function conditions(runs: Iterable<number>, filters: Filters): { where: string; hasLeft: string; values: unknown[] } {
  const given = PLACE_AND_TYPE.filter((name) => filters[name] !== undefined);
  const matches = (name: (typeof given)[number], column: string = name) =>
    given.includes(name) ? `${column} = any ($${given.indexOf(name) + 2})` : 'true';
  const isIn = LEFT.map((name) => matches(name)).join(' and ');
  const wasIn = LEFT.map((name) => matches(name, `left_${name}`)).join(' and ');
  const others = PLACE_AND_TYPE.filter((name) => name !== 'city' && name !== 'listing_type').map((name) =>
    matches(name),
  );
  return {
    where: ['run_id = any ($1)', `(${isIn} or left_city is not null and ${wasIn})`, ...others].join(' and '),
    hasLeft: `not (${isIn})`,
    values: [[...runs], ...given.map((name) => filters[name])],
  };
}

function countEvents(pool: pg.Pool, runs: Runs, filters: Filters): Promise<number> {
  const { where, values } = conditions(runs.keys(), filters);
  return sql.countRows(pool, `from listing_events where ${where}`, values);
}

/** In storage order: by run, then by listing id. */
async function* readEvents(pool: pg.Pool, runs: Runs, filters: Filters): AsyncGenerator<Event[]> {
  for (const run of runs.keys()) {
    const { where, hasLeft, values } = conditions([run], filters);
    for (let after = 0, full = true; full; ) {
      const rows = await sql.queryRows(
        pool,
        EVENT,
        `select id, case when position > 0 then position end as position,
                case type when 'listing.moved' then 'listing.updated' else type end as type, extract(epoch from at)::float8 as at, run_id, listing_id, city, listing_type, property_type,
                neighborhood_id, price_yearly_sar, previous_price_yearly_sar, reason, merged_into, ${hasLeft} as has_left
           from listing_events
          where ${where} and listing_id > $${values.length + 1} order by listing_id limit ${PAGE_SIZE}`,
        [...values, after],
      );
      after = rows.at(-1)?.listing_id ?? after;
      full = rows.length === PAGE_SIZE;
      if (rows.length > 0) yield rows;
    }
  }
}
