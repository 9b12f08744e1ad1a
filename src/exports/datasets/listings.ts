import { LISTING_SCHEMA } from '#domain/listings/listing-schema.ts';
import { prepareHits, presentRows } from '#domain/listings/present.ts';
import type { StoredHit } from '#domain/listings/stored-form.ts';
import { isoMicros } from '#domain/timestamps.ts';
import { exportFilter } from '#queries/exports/listings.ts';
import { filterProperties, type JsonFilters } from '#queries/filters/compile.ts';
import { filterRows } from '#queries/filters/table.ts';
import type { Dataset } from '../dataset.ts';
import { countMatches, listingTerms, openSnapshot, presentationOf, readPages } from './read-listings.ts';

/** All listings of a search, for any number of cities, both rent and sale. */
export const listingsDataset: Dataset = {
  name: 'listings',
  description:
    'every active listing that matches the filters of `GET /v1/listings`, given as JSON numbers, booleans and strings, with arrays for several values. `city` and `listing_type` take several values and default to all; `modified_since` exports only changes since the `watermark` of the previous manifest; `updated_since` filters by `updated_at`',
  scope: 'exports',
  free: false,
  filters: { properties: filterProperties(filterRows()), required: [] },
  row: LISTING_SCHEMA,
  terms: (services) =>
    listingTerms(services, [
      'Listings whose price or size is implausible, and listings without a price, are left out, as in search. With exactly one property_type the bounds of that type apply, otherwise wider bounds.',
      'All rows are of one moment, as_of. A listing that is withdrawn later is in these files until they are deleted, 7 days after the export was completed.',
      'Contains every listing modified at or before watermark in its state at that time. For the next snapshot, set modified_since to that value, or follow GET /listings/changes after position, which also has removed listings.',
      'A snapshot by modified_since or updated_since contains no removed listings. Export listing_changes to remove them.',
    ]),
  async open(source) {
    const { services, signal } = source;
    if (source.filters.modified_since !== undefined) services.indexGuard.watermark();
    const filter = exportFilter(source.filters as JsonFilters, { now: source.asOf });
    // Read before the point in time is opened, so that the files contain everything up to it.
    const watermark = services.indexGuard.states().get('listings')?.watermark ?? null;
    const position = services.indexGuard.position();
    return openSnapshot(source, 'listings', async (pit) => ({
      position,
      count: await countMatches(services, filter, pit),
      // Null after an upgrade, until a worker has published a watermark.
      watermark: watermark === null ? null : isoMicros(watermark),
      async *rows({ sourceLinks }) {
        const presentation = presentationOf(source, sourceLinks);
        for await (const hits of readPages<StoredHit>(services, filter, pit, signal))
          yield presentRows(prepareHits(hits, presentation), presentation).map(({ json }) => json);
      },
    }));
  },
};
