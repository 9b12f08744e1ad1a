import { developersBody, projectBody, projectsBody } from '#queries/off-plan/projects.ts';
import { unitSummaryBody, unitsBody } from '#queries/off-plan/units.ts';
import { goldenTests } from '#test/golden.ts';
import { test } from '#test/test.ts';

/** Request bodies sent to OpenSearch: see `market-golden.test.ts`. */
const project = {
  developer_id: [3, 4],
  status: ['planned', 'completed'],
  features: ['mosque', 'park'],
  banks: ['alinma_bank'],
} as const;

goldenTests(test, new URL('./golden/off-plan/', import.meta.url), {
  projects: projectsBody({ filters: {}, sort: 'newest', size: 11 }),
  'projects-by-price-behind-a-row': projectsBody({
    filters: { city: 'jeddah' },
    sort: 'price_desc',
    size: 26,
    after: [900_000, 12],
  }),
  'projects-with-every-filter': projectsBody({
    filters: {
      city: 'riyadh',
      neighborhood_id: [1001],
      ...project,
      price_min: 500_000,
      price_max: 2_000_000,
      delivery_from: '2027-01',
      delivery_to: '2028-12',
      bbox: [46.5, 24.6, 46.8, 24.9],
    },
    sort: 'delivery',
    size: 11,
  }),
  project: projectBody(7),
  developers: developersBody({ filters: {}, size: 11 }),
  'developers-of-a-city': developersBody({ filters: { city: 'riyadh' }, size: 11, after: [4, 9] }),
  units: unitsBody({ filters: { city: 'riyadh', listing_type: 'sale' }, sort: 'newest', size: 26 }),
  'units-behind-a-row': unitsBody({
    filters: { city: 'riyadh', listing_type: 'sale' },
    sort: 'newest',
    size: 26,
    after: [1_780_000_000_000, 4_711],
  }),
  'units-of-both-sides': unitsBody({
    filters: {
      city: 'riyadh',
      listing_type: 'sale',
      property_type: ['apartment'],
      price_min: 400_000,
      price_max: 900_000,
      area_min: 90,
      area_max: 150,
      beds: [2, 3],
      bathrooms: [2],
      bathrooms_min: 1,
      neighborhood_id: [1001, 1002],
      project_id: [1, 2],
      ...project,
    },
    sort: 'price_asc',
    size: 11,
  }),
  'units-of-one-project': unitsBody({ filters: {}, project: 7, sort: 'newest', size: 11 }),
  'unit-summary': unitSummaryBody(7),
});
