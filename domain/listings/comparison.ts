import { boolean, described, integer, nullable, number, object, type ValueOf } from '../json-schema.ts';

export const AGES_SCHEMA = object({ min: integer, max: nullable(integer) });

export const COMPARISON_SCHEMA = object({
  // Percent below the median price or the median price per square meter, whichever gap is smaller.
  gap_pct: number,
  diff_from_median_pct: number,
  price_per_sqm_diff_from_median_pct: number,
  median_price_sar: number,
  p25_price_sar: number,
  p75_price_sar: number,
  median_price_per_sqm_sar: number,
  sample_size: integer,
  criteria: object({
    max_distance_m: described(integer, 'Radius in meters.'),
    area_range_sqm: object({ min: number, max: number }),
    same_bedrooms: boolean,
    age_years: described(
      nullable(AGES_SCHEMA),
      'Age range of the compared homes. Null if the listing states no age and is compared with homes of all ages.',
    ),
  }),
});

export type Comparison = ValueOf<typeof COMPARISON_SCHEMA>;
