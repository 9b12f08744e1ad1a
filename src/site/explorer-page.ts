import { FIRST_PLANS, type Scope } from '#accounts/scopes.ts';
import { CITIES } from '#domain/geography/gazetteer.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import { ERROR_TEXTS_AR } from '#openapi/arabic/translate.ts';
import type { Json } from '#openapi/contract.ts';
import { filterRows } from '#queries/filters/table.ts';
import { COUNTED, DEMO_FILTERS } from './demo.ts';
import type { ExplorerData, ExplorerOperation, ExplorerParameter } from './explorer-data.ts';
import { html } from './html.ts';
import type { Language } from './language.ts';
import type { Page, Site } from './page.ts';
import { EXPLORER_TEXTS } from './text/explorer.ts';
import { TEXTS } from './text/site.ts';

interface Operation {
  operationId: string;
  parameters: readonly { name: string; in: string; required: boolean; schema: JsonSchema; description: string }[];
  'x-units': ExplorerOperation['units'];
  'x-scope': Scope | null;
}

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

/** Names of the filters with a field in the form. */
const FIELDS: ReadonlySet<string> = new Set(filterRows().flatMap(({ name, setOnMap }) => (setOnMap ? [] : [name])));

/** Reads parameters, accepted values and costs from the OpenAPI document. */
function operations(document: Json): {
  operations: Record<string, ExplorerOperation>;
  filters: ExplorerParameter[];
} {
  const found: Record<string, ExplorerOperation> = {};
  let filters: ExplorerParameter[] = [];
  const { paths } = document as { paths: Record<string, { get?: Operation }> };
  for (const [path, { get }] of Object.entries(paths)) {
    if (!get || !CALLED.has(get.operationId)) continue;
    const query = get.parameters.filter((parameter) => parameter.in === 'query');
    const scope = get['x-scope'];
    found[get.operationId] = {
      path,
      units: get['x-units'],
      parameters: query.map(({ name }) => name),
      scope,
      plan: scope && FIRST_PLANS[scope],
    };
    if (get.operationId === 'searchListings')
      filters = query.map(({ name, schema, required, description }) => ({
        name,
        schema,
        required,
        description,
        hasField: FIELDS.has(name),
      }));
  }
  return { operations: found, filters };
}

export function explorerPage({ config, assets, demoKey }: Site, language: Language, openApi: Json): Page {
  const texts = TEXTS[language];
  const data: ExplorerData = {
    language,
    baseUrl: config.baseUrl,
    key: demoKey,
    ...operations(openApi),
    cities: CITIES.map(({ slug, center }) => ({ slug, ...center })),
    counted: COUNTED,
    demoFilters: DEMO_FILTERS,
    texts: EXPLORER_TEXTS[language],
    labels: Object.fromEntries(filterRows().map(({ name, label }) => [name, label[language]])),
    errors: language === 'ar' ? ERROR_TEXTS_AR : {},
    files: {
      map: assets.address('map.js'),
      mapStyles: assets.address('map.css'),
      worker: assets.address('map-worker.js'),
      land: assets.address('land.json'),
    },
  };
  return {
    title: texts.explorer,
    path: '/explorer',
    section: 'explorer',
    wide: true,
    scripts: ['explorer.js'],
    styles: ['explorer.css'],
    data,
    policy: { 'worker-src': ["'self'"] },
    body: html`<h1 class="visually-hidden">${texts.explorer}</h1><div id="explorer"><noscript><p>${texts.no_script}</p></noscript></div>`,
  };
}
