import { PAGE_SIZE } from '#site/server/explorer-place.ts';
import { addressOf, data, format, texts } from './page-data.ts';
import { type View, valuesOf, withValues } from './state.ts';

const OPERATIONS: Readonly<Record<View, string>> = {
  listings: 'searchListings',
  prices: 'getPriceDistribution',
  neighborhoods: 'listMarketNeighborhoods',
  trend: 'getMarketTrends',
  projects: 'searchProjects',
  deals: 'getMarketTransactions',
  estimate: 'estimatePrice',
};
export const operationOf = (view: View) => data.operations[OPERATIONS[view]];

export function addressOfView(view: View, values: URLSearchParams): string {
  const asked: Partial<Record<View, URLSearchParams>> = {
    listings: withValues(values, { limit: String(PAGE_SIZE) }),
    // All neighborhoods of the city are compared.
    neighborhoods: withValues(values, { neighborhood_id: '' }),
    projects: withValues(ofProjects(values), { limit: String(PAGE_SIZE) }),
    deals: withValues(values, { land_use_class: 'residential' }),
    estimate: homeOf(values),
  };
  return addressOf(OPERATIONS[view], asked[view] ?? values);
}

/** Returns the filters that have the same meaning for projects, whose prices are sale prices. */
function ofProjects(values: URLSearchParams): URLSearchParams {
  const prices = values.get('listing_type') === 'sale' ? ['price_min', 'price_max'] : [];
  return valuesOf(values, ['city', 'neighborhood_id', 'bbox', 'developer_id', ...prices]);
}

/** Returns the home that the filters describe: of one type, with one number of bedrooms, at one place. */
export function homeOf(values: URLSearchParams): URLSearchParams {
  const single = (name: string): string => (/^[^,]+$/.exec(values.get(name) ?? '') ?? [''])[0];
  return withValues(values, {
    property_type: data.homeTypes.find((type) => type === single('property_type')) ?? '',
    beds: single('beds'),
    neighborhood_id: values.has('near') ? '' : single('neighborhood_id'),
  });
}

export function isComplete(view: View, values: URLSearchParams): boolean {
  const home = homeOf(values);
  const isPlaced = home.has('near') || home.has('neighborhood_id');
  return view !== 'estimate' || (isPlaced && home.has('property_type') && home.has('area'));
}

export function costOf(view: View, address: string): string {
  const { units, per, parameter } = operationOf(view)?.units ?? { units: 0 };
  const results = parameter === undefined ? null : new URL(address, data.baseUrl).searchParams.get(parameter);
  const cost = per === undefined || parameter === undefined ? units : units * Math.ceil(Number(results) / per);
  return cost === 0 ? texts.free : format.count(texts.units, cost);
}
