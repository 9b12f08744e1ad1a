import { endpoints } from '#endpoints/index.ts';
import { buildOpenApi } from '#openapi/build.ts';
import { test } from '#test/test.ts';

interface Prices {
  price_source: string[];
  price_basis?: string[];
}

/** Listings: asking prices of the requested listing type. */
const LISTINGS: Prices = { price_source: ['asking'], price_basis: ['total_price', 'yearly_rent'] };
const UNITS: Prices = { price_source: ['asking'] };
const DEVELOPERS: Prices = { price_source: ['developer'] };
const registered = (...price_basis: string[]): Prices => ({
  price_source: ['registered'],
  ...(price_basis.length > 0 ? { price_basis } : {}),
});

/** Source and basis of the prices of each operation. */
const TABLE: Readonly<Record<string, Prices>> = {
  getMarketSummary: LISTINGS,
  getPriceDistribution: LISTINGS,
  getAreaDistribution: LISTINGS,
  getMarketSupply: LISTINGS,
  getMarketVacancy: LISTINGS,
  listMarketNeighborhoods: LISTINGS,
  getPriceBand: LISTINGS,
  getMarketPosition: LISTINGS,
  listComparables: LISTINGS,
  // The registered prices of the neighborhood are stated beside the estimate.
  estimateListingPrice: { ...LISTINGS, price_source: ['asking', 'registered'] },
  estimatePrice: { ...LISTINGS, price_source: ['asking', 'registered'] },
  compareNeighborhoods: LISTINGS,
  getMarketTrends: LISTINGS,
  listMarketDeals: LISTINGS,
  getRentalYield: { price_source: ['asking'], price_basis: ['yearly_rent_over_total_price'] },
  searchProjects: DEVELOPERS,
  getProject: DEVELOPERS,
  listProjectUnits: UNITS,
  searchProjectUnits: UNITS,
  listTransactions: registered(),
  getMarketTransactions: registered('total_price'),
  getLandPrices: registered('price_per_sqm'),
  getRegisteredRents: registered('yearly_rent'),
  getMarketIndex: registered(),
  getAskingVsRegistered: { price_source: ['asking', 'registered'], price_basis: ['price_per_sqm'] },
  // One series of the index is built from listings.
  getPropertyIndex: { price_source: ['asking', 'registered'] },
};

/** Listings only have asking prices and no source field. Amounts of an organization belong to its plan. */
const WITHOUT_SOURCE = [
  'batchListings',
  'getListing',
  'getOrganization',
  'getPriceHistory',
  'mapListings',
  'searchListings',
  'setSpendCap',
  'updateOrganization',
];

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Yields all properties in a schema, at any depth, as pairs of name and schema. */
function* propertiesOf(schema: unknown): Generator<[name: string, schema: Json]> {
  if (!isObject(schema)) return;
  const { $ref, properties } = schema;
  if (typeof $ref === 'string') yield* propertiesOf(schemas[$ref.split('/').at(-1) as string]);
  if (isObject(properties))
    for (const [name, inner] of Object.entries(properties) as [string, Json][])
      yield [name, { ...schemas[String(inner.$ref).split('/').at(-1) as string], ...inner }];
  for (const inner of Object.values(schema)) yield* propertiesOf(inner);
}

const document = buildOpenApi(endpoints, { serviceName: '', baseUrl: 'https://api.example.com/v1' }) as Json;
const schemas = (document.components as { schemas: Record<string, Json> }).schemas;
const operations = Object.values(document.paths as Json)
  .flatMap((item) => Object.values(item as Json) as { operationId?: string; responses?: Json }[])
  .flatMap(({ operationId, responses }) =>
    operationId === undefined ? [] : [{ operationId, properties: [...propertiesOf(responses?.['200'])] }],
  );
const valuesOf = (properties: readonly [string, Json][], field: string): string[] =>
  [...new Set(properties.flatMap(([name, schema]) => (name === field ? (schema.enum as string[]) : [])))].sort();

test('the values of price_source and price_basis of every operation match the expected table', (t) => {
  const found = operations.flatMap(({ operationId, properties }): [string, Prices][] => {
    const price_source = valuesOf(properties, 'price_source');
    const price_basis = valuesOf(properties, 'price_basis');
    return price_source.length + price_basis.length === 0
      ? []
      : [[operationId, { price_source, ...(price_basis.length > 0 ? { price_basis } : {}) }]];
  });
  t.deepEqual(Object.fromEntries(found), TABLE);
});

test('every operation with amounts states their source, except listings and plans', (t) => {
  const silent = operations
    .filter(({ properties }) => properties.some(([name]) => name.endsWith('_sar')))
    .filter(({ properties }) => !properties.some(([name]) => name === 'price_source'));
  t.deepEqual(silent.map(({ operationId }) => operationId).sort(), WITHOUT_SOURCE);
});
