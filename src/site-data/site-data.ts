import { LISTING_TYPES, PROPERTY_TYPES } from '#domain/listing-vocabulary.ts';
import { filterRows } from '#queries/filters/table.ts';
import { readPhoto } from '#src/documents/photo.ts';
import { loadDeadline } from '#src/http/deadlines.ts';
import type { Reader } from '#src/metering/daily-listings.ts';
import type { Services } from '#src/services.ts';
import { readGone, type UnavailableListing } from '#stores/postgres/listing-changes.ts';
import * as sql from '#stores/postgres/rows.ts';
import { type Coverage, readCoverage } from './coverage.ts';
import { incidentReader } from './incidents.ts';

export type { Coverage } from './coverage.ts';
export type { Incident } from './incidents.ts';

const GONE_ROW = {
  gone: sql.boolean,
  city: sql.text,
  listing_type: sql.oneOf(LISTING_TYPES),
  property_type: sql.oneOf(PROPERTY_TYPES),
  neighborhood_id: sql.nullable(sql.integer),
  bedrooms: sql.nullable(sql.number),
  duplicate_of: sql.nullable(sql.integer),
};
/** A listing that is not live. `gone` is false if it was never live, or is hidden; `why` is null if search never returned it. */
export type UnservedListing = sql.RowOf<typeof GONE_ROW> & { why: UnavailableListing | null };

const PLAN_ROW = {
  name: sql.text,
  scopes: sql.listOf(sql.text),
  quota: sql.nullable(sql.number),
  perMinute: sql.nullable(sql.integer),
  pageSize: sql.integer,
  overageSar: sql.nullable(sql.number),
};
/**
 * The price in riyals per month is null on request, a quota by agreement is null, and so is the price of 1,000 units
 * beyond the quota if there is none.
 */
export type PlanTerms = sql.RowOf<typeof PLAN_ROW> & { priceSar: number | null };

const SITEMAP_ROW = { id: sql.integer, modified: sql.text };

/** Data of the site besides responses of the API. */
export type SiteData = ReturnType<typeof createSiteData>;

/** Listings without a price, or with an implausible price or size, are served, but not recommended. */
const INDEXED = 'served and price is not null and plausible_typed and plausible_pooled';

export function createSiteData(services: Services) {
  const { pool, config, sourceClock, loadedQuarters, dailyListings, clock } = services;
  return {
    /** In the order of the documentation. `setOnMap`: set on the map, so that the form has no field for it. */
    filters: filterRows().map(({ name, label, setOnMap = false }) => ({ name, label, setOnMap })),
    coverage: (): Promise<Coverage> => readCoverage(services, loadDeadline(services)),
    /** Times in epoch milliseconds; 0 for a source that was never read. */
    sources: () => sourceClock.sources().map((name) => ({ name, readAt: (sourceClock.lastSeen(name) ?? 0) * 1_000 })),
    /** As `YYYY-MM-DD`. Null if no deals are loaded. */
    async officialUntil() {
      const days = (await loadedQuarters.read()).map(({ last_day }) => last_day);
      return days.sort().at(-1) ?? null;
    },
    /** By price. */
    async plans(): Promise<PlanTerms[]> {
      const plans = await sql.readRows(pool, PLAN_ROW, {
        name: 'pricing',
        text: `select name, scopes, units_per_month::float8 as quota, units_per_minute as "perMinute",
                      page_size as "pageSize", case when overage then overage_sar_per_1000::float8 end as "overageSar"
                 from plans order by rank`,
      });
      return plans.map((plan) => ({
        ...plan,
        priceSar: config.planPrices[plan.name] ?? (plan.name === 'free' ? 0 : null),
      }));
    },
    incidents: incidentReader(services),
    async unservedListing(id: number): Promise<UnservedListing | null> {
      const [found] = await sql.readRows(pool, GONE_ROW, {
        name: 'gone-listing',
        text: `select withdrawn_at is not null or duplicate_of is not null as gone, city, listing_type, property_type,
                      neighborhood_id, bedrooms, duplicate_of
                 from listings where id = $1`,
        values: [id],
      });
      const [why = null] = found ? await readGone(pool, [id]) : [];
      return found ? { ...found, why } : null;
    },
    /** Numbers of the ranges of ids that have listings with pages for search engines. */
    async sitemapRanges(idsPerRange: number) {
      const rows = await sql.readRows(
        pool,
        { range: sql.integer },
        {
          name: 'sitemap-ranges',
          text: `select distinct (id / $1::integer)::integer as range from listings where ${INDEXED} order by 1`,
          values: [idsPerRange],
        },
      );
      return rows.map(({ range }) => range);
    },
    sitemapListings: (range: number, idsPerRange: number) =>
      sql.readRows(pool, SITEMAP_ROW, {
        name: 'sitemap-listings',
        text: `select id, to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD') as modified
                 from listings where ${INDEXED} and id >= $1 and id < $2 order by id`,
        values: [range * idsPerRange, (range + 1) * idsPerRange],
      }),
    photo: (key: string) => readPhoto(services, key),
    takeListings: (address: Reader, reader: Reader | null, listings: ReadonlySet<number>) =>
      dailyListings.take(address, reader, listings, clock.chargeTime()),
  };
}
