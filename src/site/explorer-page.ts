import { FIRST_PLANS } from '#accounts/scopes.ts';
import { ERROR_CODES, ERRORS } from '#domain/errors.ts';
import { CITIES } from '#domain/geography/gazetteer.ts';
import type { Json } from '#openapi/contract.ts';
import { filterRows } from '#queries/filters/table.ts';
import { COUNTED, DEMO_FILTERS } from './demo.ts';
import { html } from './html.ts';
import type { Language } from './language.ts';
import { operationsOf } from './operations.ts';
import type { Page, Site } from './page.ts';
import { EXPLORER_TEXTS, TEXTS } from './text/index.ts';

/** Operations that the explorer calls. */
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
  'listEnums',
  'getLimits',
]);

/** Names of the filters with a field in the form. Paging, order and filters set on the map have none. */
const FIELDS: ReadonlySet<string> = new Set(filterRows().flatMap(({ name, setOnMap }) => (setOnMap ? [] : [name])));

/** Returns parameters, accepted values and costs from the OpenAPI document. */
function calledOperations(openApi: Json) {
  const called = operationsOf(openApi).flatMap(({ operationId, path, parameters, ...operation }) => {
    const scope = operation['x-scope'];
    const query = parameters.filter((parameter) => parameter.in === 'query');
    // The scope that a key needs, and the lowest plan that includes it. Null if every key has access.
    const plan = scope && FIRST_PLANS[scope];
    return CALLED.has(operationId) ? { operationId, path, units: operation['x-units'], query, scope, plan } : [];
  });
  const search = called.find(({ operationId }) => operationId === 'searchListings');
  return {
    operations: Object.fromEntries(
      called.map(({ operationId, query, ...operation }) => [
        operationId,
        { ...operation, parameters: query.map(({ name }) => name) },
      ]),
    ),
    filters: (search?.query ?? []).map(({ name, schema, required, description }) => ({
      name,
      schema,
      required,
      description,
      hasField: FIELDS.has(name),
    })),
  };
}

/** Data that the explorer page passes to its script. */
export type ExplorerData = ReturnType<typeof explorerData>;
export type ExplorerParameter = ExplorerData['filters'][number];

const explorerData = ({ config, assets, demoKey }: Site, language: Language, openApi: Json) => ({
  language,
  baseUrl: config.baseUrl,
  key: demoKey,
  ...calledOperations(openApi),
  cities: CITIES.map(({ slug, center }) => ({ slug, ...center })),
  counted: COUNTED,
  demoFilters: DEMO_FILTERS,
  texts: EXPLORER_TEXTS[language],
  labels: Object.fromEntries(filterRows().map(({ name, label }) => [name, label[language]])),
  // Texts by error code. For a code without a text, the error's message is shown.
  errors: Object.fromEntries(language === 'ar' ? ERROR_CODES.map((code) => [code, ERRORS[code].ar.message]) : []),
  // Files that the script loads on demand.
  files: {
    map: assets.address('map.js'),
    mapStyles: assets.address('map.css'),
    worker: assets.address('map-worker.js'),
    land: assets.address('land.json'),
  },
});

export function explorerPage(site: Site, language: Language, openApi: Json): Page {
  const texts = TEXTS[language];
  return {
    title: texts.explorer,
    path: '/explorer',
    section: 'explorer',
    wide: true,
    scripts: ['explorer.js'],
    styles: ['explorer.css'],
    data: explorerData(site, language, openApi),
    policy: { 'worker-src': ["'self'"] },
    body: html`<h1 class="visually-hidden">${texts.explorer}</h1><div id="explorer"><noscript><p>${texts.no_script}</p></noscript></div>`,
  };
}
