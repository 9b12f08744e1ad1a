import { CITIES } from '#domain/geography/gazetteer.ts';
import { DIRECTIONS } from '#domain/geography/places.ts';
import { HOME_TYPES } from '#domain/listing-vocabulary.ts';
import type { Listing } from '#domain/listings/listing.ts';
import type { Names } from '#domain/named.ts';
import { EXPLORER_TEXTS, SHARED_TEXTS, TEXTS } from '#site/text/index.ts';
import { FIRST_PLANS } from '#src/accounts/scopes.ts';
import { html } from '#src/documents/html.ts';
import type { Language } from '#src/documents/language.ts';
import type { Json } from '#src/openapi/schemas.ts';
import { type ExplorerOperation, SESSION_PATH } from './explorer-session.ts';
import { operationsOf } from './operations.ts';
import type { Page, Site } from './page.ts';
import { TILES_PATH } from './tile-ranges.ts';

const KEY_LIMITS = 'getLimits';
/** Operations of other plans that visitors without a key may call. */
const ESTIMATES = ['estimatePrice', 'estimateListingPrice'];
/** Calls that an estimate counts as in the limit of visitors: it costs more than a search. */
const ESTIMATE_CALLS = 10;
const CALLED = new Set([
  'searchListings',
  'getListing',
  'parseListings',
  'mapListings',
  'suggest',
  'listFacets',
  'getPriceDistribution',
  'listMarketNeighborhoods',
  'getMarketTrends',
  'searchProjects',
  'listProjectUnits',
  'getMarketTransactions',
  'listCities',
  'listNeighborhoods',
  'listBoundaries',
  KEY_LIMITS,
  ...ESTIMATES,
]);

export const EXPLORER = '/explorer';

/** The first page of a search. */
export interface FirstRows {
  rows: readonly Listing[];
  next: string | null;
}

/** Enumerations of filters. */
const LISTS: Readonly<Record<string, string>> = {
  listing_type: 'listing_types',
  listing_category: 'listing_categories',
  property_type: 'property_types',
  rent_frequency: 'rent_frequencies',
  amenities: 'amenities',
  amenities_exclude: 'amenities',
  floor: 'floors',
  advertiser_type: 'advertiser_types',
};

/** Enumerations that the explorer names besides those of filters. */
const OTHERS = ['sorts', 'project_statuses', 'coverage_flags'];

const NAMED: readonly string[] = [...new Set([...Object.values(LISTS), ...OTHERS])];

/** Filters with counts. The API counts at most ten. */
export const COUNTED = [
  'listing_type',
  'property_type',
  'beds',
  'bathrooms',
  'neighborhood_id',
  'rent_frequency',
  'amenities',
  'furnished',
  'advertiser_type',
  'price',
];

export const explorerOperations = (openApi: Json): ExplorerOperation[] =>
  calledOperations(openApi).map(({ operationId, path, scope, isFree, query }) => ({
    path,
    parameters: query.map(({ name }) => name),
    isFree,
    calls: ESTIMATES.includes(operationId) ? ESTIMATE_CALLS : 1,
    isReference: scope === null || scope === 'reference',
  }));

const calledOperations = (openApi: Json) =>
  operationsOf(openApi).flatMap(({ operationId, path, parameters, ...operation }) => {
    if (!CALLED.has(operationId)) return [];
    const scope = operation['x-scope'];
    // The lowest plan whose keys have the scope; null if every key has access.
    const plan = scope && FIRST_PLANS[scope];
    const isOpen = plan === null || plan === FIRST_PLANS.reference || ESTIMATES.includes(operationId);
    const isFree = operationId !== KEY_LIMITS && isOpen;
    const query = parameters.filter((parameter) => parameter.in === 'query');
    return { operationId, path, units: operation['x-units'], scope, plan, isFree, query };
  });

/** Names of values by enumeration, as the API has them. */
export type EnumNames = Readonly<Record<string, Readonly<Record<string, Names>>>>;

export type ExplorerData = ReturnType<typeof explorerData>;
export type ExplorerParameter = ExplorerData['filters'][number];

function explorerData({ config, assets, demoKey, data }: Site, language: Language, openApi: Json, names: EnumNames) {
  const called = calledOperations(openApi);
  const search = called.find(({ operationId }) => operationId === 'searchListings')?.query ?? [];
  return {
    language,
    baseUrl: config.baseUrl,
    key: demoKey,
    operations: Object.fromEntries(
      called.map(({ operationId, query, ...operation }) => [
        operationId,
        { ...operation, parameters: query.map(({ name }) => name) },
      ]),
    ),
    // Paging, order and filters that are set on the map have no field in the form.
    filters: search.map(({ name, schema, required, description }) => {
      const hasField = data.filters.some((each) => each.name === name && !each.setOnMap);
      return { name, schema, required, description, hasField };
    }),
    sessionUrl: SESSION_PATH,
    /** Listings of the search that the page contains. */
    first: null as FirstRows | null,
    cities: CITIES.map(({ slug, name_en, name_ar, center }) => ({ slug, name_en, name_ar, center })),
    names: Object.fromEntries(NAMED.map((name) => [name, names[name] ?? {}])),
    enumerations: LISTS,
    /** Sources of listings. */
    sources: [] as readonly string[],
    counted: COUNTED,
    homeTypes: HOME_TYPES,
    texts: EXPLORER_TEXTS[language],
    shared: SHARED_TEXTS[language],
    directions: DIRECTIONS,
    labels: Object.fromEntries(data.filters.map(({ name, label }) => [name, label[language]])),
    /** Address of the file of map tiles, if the operator has one. */
    tiles: config.mapTilesFile === null ? null : TILES_PATH,
    files: {
      map: assets.address('map.js'),
      mapParts: assets.importsOf('map.js'),
      mapStyles: assets.address('map.css'),
      worker: assets.address('map-worker.js'),
      land: assets.address('land.json'),
    },
  };
}

export function explorerPage(site: Site, language: Language, openApi: Json, names: EnumNames): Page {
  const texts = TEXTS[language];
  return {
    title: texts.explorer,
    description: texts.next_step_explorer,
    path: EXPLORER,
    section: 'explorer',
    wide: true,
    hasSession: true,
    scripts: ['explorer.js'],
    styles: ['explorer.css'],
    data: explorerData(site, language, openApi, names),
    body: html`<h1 class="visually-hidden">${texts.explorer}</h1><div id="explorer"></div>`,
  };
}
