import { PROJECT_BANKS, PROJECT_FEATURES, PROJECT_STATUSES } from '#domain/off-plan/project-vocabulary.ts';
import type { FilterRow, ValuesOfRows } from '../filters/kinds.ts';
import * as kinds from '../filters/kinds.ts';
import { rowOf, rowsOf } from '../filters/table.ts';

const byDeveloper = {
  name: 'developer_id',
  kind: kinds.anyOfIds,
  description: 'One or more developer ids from `GET /developers`; a project of any of them matches.',
  example: '1,2',
} as const;
const byStatus = {
  name: 'status',
  kind: kinds.anyOf,
  description: 'One or more project statuses; a project with any of them matches.',
  values: PROJECT_STATUSES,
  example: 'under_construction,planned',
} as const;
const byFeatures = {
  name: 'features',
  kind: kinds.allOf,
  description: 'One or more required features; only projects with all of them match.',
  values: PROJECT_FEATURES,
  example: 'mosque,park',
} as const;
const byBanks = {
  name: 'banks',
  kind: kinds.allOf,
  description: 'One or more banks; only projects whose units are financed by all of them match.',
  values: PROJECT_BANKS,
  example: 'al_rajhi_bank',
} as const;

export const PROJECT_FILTERS = [
  { ...rowOf('city'), required: false },
  {
    ...rowOf('neighborhood_id'),
    description: 'One or more neighborhood ids; matches any of them. Projects without a neighborhood are excluded.',
  },
  { ...byStatus, field: 'filter.status' },
  { ...byDeveloper, field: 'filter.developer_id' },
  {
    name: 'price_min',
    kind: kinds.amountAtLeast,
    // A project's price range only needs to overlap the requested range.
    field: 'filter.price_max',
    description: 'Minimum price in SAR; matches projects whose price range ends at or above it.',
    example: '500000',
  },
  {
    name: 'price_max',
    kind: kinds.amountAtMost,
    field: 'filter.price_min',
    description: 'Maximum price in SAR; matches projects whose price range starts at or below it.',
    notBelow: 'price_min',
    example: '2500000',
  },
  {
    name: 'delivery_from',
    kind: kinds.monthFrom,
    field: 'filter.delivery',
    description: 'Earliest delivery month, `YYYY-MM`.',
    example: '2026-01',
  },
  {
    name: 'delivery_to',
    kind: kinds.monthTo,
    field: 'filter.delivery',
    description: 'Latest delivery month, `YYYY-MM`.',
    notBelow: 'delivery_from',
    example: '2030-12',
  },
  { ...byFeatures, field: 'filter.features' },
  { ...byBanks, field: 'filter.banks' },
  {
    ...rowOf('bbox'),
    description: 'Bounding box `min_lng,min_lat,max_lng,max_lat` in degrees; projects located in it match.',
    example: '46.5,24.6,46.8,24.9',
  },
] as const satisfies readonly FilterRow[];

/** Filters that other listings have too. The examples are sale prices. */
const UNIT_ROWS = [
  rowOf('property_type'),
  { ...rowOf('price_min'), example: '400000' },
  { ...rowOf('price_max'), example: '3000000' },
  ...rowsOf(['area_min', 'area_max', 'beds', 'bathrooms', 'beds_min', 'beds_max', 'bathrooms_min', 'bathrooms_max']),
] as const;

export const UNITS_OF_PROJECT_FILTERS = [rowOf('listing_type'), ...UNIT_ROWS] as const satisfies readonly FilterRow[];

export const UNIT_FILTERS = [
  rowOf('city'),
  ...UNITS_OF_PROJECT_FILTERS,
  rowOf('neighborhood_id'),
  rowOf('bbox'),
  {
    name: 'project_id',
    kind: kinds.anyOfIds,
    field: 'filter.project_id',
    description: 'One or more project ids; a unit of any of them matches.',
    example: '1',
  },
  { ...byDeveloper, field: 'filter.project_developer' },
  { ...byStatus, field: 'filter.project_status' },
  { ...byFeatures, field: 'filter.project_features' },
  { ...byBanks, field: 'filter.project_banks' },
] as const satisfies readonly FilterRow[];

export const DEVELOPER_FILTERS = [
  {
    ...PROJECT_FILTERS[0],
    description: 'City slug from `GET /cities`; matches developers with a project in this city.',
  },
] as const satisfies readonly FilterRow[];

export type ProjectFilters = ValuesOfRows<(typeof PROJECT_FILTERS)[number]>;
export type UnitFilters = ValuesOfRows<(typeof UNIT_FILTERS)[number]>;
export type DeveloperFilters = ValuesOfRows<(typeof DEVELOPER_FILTERS)[number]>;
