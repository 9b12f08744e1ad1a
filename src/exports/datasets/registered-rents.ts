import { neighborhoodNames } from '#domain/geography/reference.ts';
import { RENT_PROPERTY_TYPES } from '#domain/official/official-vocabulary.ts';
import { parseQuarter, QUARTER_SCHEMA, quarterLabel } from '#domain/official/quarters.ts';
import { PLACED_RENT_CELL_SCHEMA, rentCell } from '#domain/official/rents.ts';
import { OFFICIAL_RULES } from '#domain/official/rules.ts';
import { filterProperties } from '#queries/filters/compile.ts';
import { transactionRow } from '#queries/transactions/filters.ts';
import { readAllRents, readRentQuarters } from '#stores/postgres/official.ts';
import type { Dataset } from '../dataset.ts';
import { openDataTerms, requireQuarters } from './open-data.ts';
import { PAGE_SIZE } from './read-listings.ts';

const MIN_SAMPLE_SIZE = OFFICIAL_RULES.min_sample_size;
const listOf = (items: object, description: string) => ({
  type: 'array',
  items,
  minItems: 1,
  maxItems: 100,
  description,
});

interface RentFilters {
  city?: string[];
  neighborhood_id?: number[];
  property_type?: string[];
  period?: string[];
  min_sample_size?: number;
}

/** Returns the same rows as `GET /market/registered-rents`, for any number of cities and quarters. */
export const registeredRentsDataset: Dataset = {
  name: 'registered_rents',
  description:
    'the `cells` of `GET /market/registered-rents`, each preceded by the fields `city` and `period`, which the endpoint states once per response; `city`, `neighborhood_id`, `property_type` and `period` take several values and default to all, `min_sample_size` can be raised',
  scope: null,
  free: true,
  filters: {
    properties: {
      ...filterProperties([transactionRow('city'), transactionRow('neighborhood_id')]),
      property_type: listOf({ type: 'string', enum: RENT_PROPERTY_TYPES }, 'Property types. Defaults to all.'),
      period: listOf(QUARTER_SCHEMA, 'One or more quarters, `YYYY-Qn`; matches any of them.'),
      min_sample_size: {
        type: 'integer',
        minimum: MIN_SAMPLE_SIZE,
        maximum: 10_000,
        description: 'Minimum number of contracts per cell.',
      },
    },
    required: [],
  },
  async requirePeriods(filters, db) {
    const { city, period } = filters as RentFilters;
    if (city ?? period) requireQuarters({ city, period }, await readRentQuarters(db, city ?? null));
  },
  row: PLACED_RENT_CELL_SCHEMA,
  terms: () =>
    openDataTerms('regulator_rent_index', [
      'A row is a cell of GET /market/registered-rents, preceded by the fields city and period, which the endpoint states once per response.',
      'Rents are means, not medians, of the contracts registered in a quarter.',
      'The regulator publishes offices, shops and showrooms per square meter: mean_rent_sar is empty for them, and mean_rent_per_sqm_sar is the yearly rent per square meter.',
      `Cells of fewer than ${MIN_SAMPLE_SIZE} contracts and places outside of the cities of this service are not included. A cell that is not matched to a neighborhood has the publisher's own names.`,
    ]),
  async open({ services, filters }) {
    const { city, neighborhood_id, property_type, period, min_sample_size } = filters as RentFilters;
    // One statement reads all rows, so that a quarter replaced meanwhile is not mixed. Some ten thousand fit in memory.
    const cells = await readAllRents(services.pool, {
      cities: city ?? null,
      neighborhoods: neighborhood_id ?? null,
      propertyTypes: property_type ?? null,
      quarters: period?.map(parseQuarter) ?? null,
      least: min_sample_size ?? MIN_SAMPLE_SIZE,
    });
    return {
      count: cells.length,
      async *rows() {
        const named = new Map<string, ReturnType<typeof neighborhoodNames>>();
        for (let at = 0; at < cells.length; at += PAGE_SIZE) {
          yield cells.slice(at, at + PAGE_SIZE).map(({ city: slug, quarter, ...row }) => {
            const names = named.get(slug) ?? neighborhoodNames(services.places, slug);
            named.set(slug, names);
            const placed = { city: slug, period: quarterLabel(quarter) };
            const cell = rentCell({ quarter, ...row }, names);
            return [Buffer.from(JSON.stringify({ ...placed, ...cell }))];
          });
        }
      },
      close: async () => {},
    };
  },
};
