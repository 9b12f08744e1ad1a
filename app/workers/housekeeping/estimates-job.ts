import type { ListingDisplay } from '#domain/listings/listing.ts';
import { ESTIMATE_VERSION, estimateOf } from '#domain/statistics/estimate.ts';
import { comparedPrice, homeOf } from '#domain/statistics/price-band.ts';
import { foundBody, type NearbyResponse, nearbyBody, readNearby } from '#queries/analytics/nearby.ts';
import type { SearchEngine } from '#stores/opensearch/read-engine.ts';
import { LEDGER_DAYS, recordEstimate } from '#stores/postgres/estimate-ledger.ts';
import type { Job } from '#stores/postgres/job.ts';

const DAY_MS = 86_400_000;

interface SearchResponse {
  hits: { hits: readonly { _source: { display: ListingDisplay } }[] };
}

/**
 * Estimates listings first found on the previous day from earlier ones, so that no ad of the day influences its
 * estimate.
 */
export const recordEstimates = (search: Pick<SearchEngine, 'search'>): Job => ({
  name: 'record-estimates',
  schedule: '43 0 * * *',
  run: async (db, now) => {
    const end = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
    const start = end - DAY_MS;
    const { hits } = await search.search<SearchResponse>('listings', foundBody(start, end));
    let recorded = 0;
    for (const { _source } of hits.hits) {
      const { display } = _source;
      const price = comparedPrice(display);
      const found = homeOf(display);
      if (price === null || 'status' in found) continue;
      const subject = { ...found.subject, price };
      const body = nearbyBody({ ...subject, bedrooms: null }, end, start);
      const estimate = estimateOf(subject, readNearby(await search.search<NearbyResponse>('listings', body)));
      if (estimate === null) continue;
      const isNew = await recordEstimate(db, {
        listing_id: display.id,
        day: new Date(start).toISOString().slice(0, 10),
        city: subject.city,
        listing_type: display.listing_type,
        property_type: display.property_type,
        version: ESTIMATE_VERSION,
        price,
        estimate: estimate.price,
        reach_80: estimate.interval80.high / estimate.price,
        reach_50: estimate.interval50.high / estimate.price,
      });
      if (isNew) recorded++;
    }
    const expired = await db.query('delete from estimate_ledger where day < $1::date - $2::integer', [
      new Date(end),
      LEDGER_DAYS,
    ]);
    return { sampled: hits.hits.length, recorded, deleted: expired.rowCount ?? 0 };
  },
});
