import { arrayOf, integer, nullable, object, oneOf, single, string, timestamp } from '#domain/json-schema.ts';
import { ATTRIBUTION_SCHEMA, attributionOf, type DatasetKey } from '#domain/official/attribution.ts';
import {
  CITY_RULES,
  CITY_WITHOUT_SERIES_SCHEMA,
  type CityWithoutSeries,
  INDEX_PROPERTIES,
  type IndexSource,
  KINDS,
  PRICE_SOURCES,
  SCOPES,
  SERIES_KINDS,
  SERIES_SCHEMA,
  type Series,
  type SeriesKind,
} from '#domain/property-index/series.ts';
import { isoSeconds } from '#domain/timestamps.ts';
import { dataResponse, defineEndpoint, type Parameter, type ValuesOf } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { findRelease, publishedReleases, readRelease, releaseId } from '#src/property-index/releases.ts';
import { cityParameter, OFFICIAL } from './common.ts';

const manyOf = <const Values extends readonly string[]>(values: Values) =>
  ({
    type: 'array',
    items: oneOf(values),
    minItems: 1,
    maxItems: values.length,
  }) as const;

const parameters = [
  {
    name: 'release',
    schema: { type: 'string', minLength: 1, maxLength: 40 },
    description:
      'Month, for example `2026-11`, which selects its latest revision, or a revision, for example `2026-11-r1`. Defaults to the latest release.',
    example: '2026-11',
  },
  {
    name: 'scope',
    schema: { type: 'string', enum: SCOPES },
    description: 'Scope of the series: national or by city. Defaults to both.',
    example: 'national',
  },
  {
    ...cityParameter,
    required: false,
    description: 'City slug from `GET /cities`. Only series of this city are returned.',
  },
  {
    name: 'kind',
    schema: manyOf(KINDS),
    description: 'One or more kinds of series. Defaults to all.',
    example: 'home_registered',
  },
  {
    name: 'property',
    schema: manyOf(INDEX_PROPERTIES),
    description: 'One or more property classes of the series. Defaults to all.',
    example: 'home',
  },
] as const satisfies readonly Parameter[];

type PropertyIndexQuery = ValuesOf<(typeof parameters)[number]>;

const kindsText = KINDS.map(
  (kind) => `\`${kind}\`: ${SERIES_KINDS[kind].description} (\`${SERIES_KINDS[kind].index_name}\`).`,
);

export const propertyIndex = defineEndpoint({
  path: '/v1/market/property-index',
  operationId: 'getPropertyIndex',
  summary: 'Get a release of the property index',
  description: `Returns a release of the price and rent index of this service, which is published once a month and never changes; a correction is a new revision with a \`note\`. Each series is an index of matched neighborhoods: only neighborhoods with deals in both periods are compared, so that a change in the mix does not change the index. \`method\` states how periods are linked: \`chained_tornqvist\` links each period to the previous one, and \`geks_tornqvist\` compares each period with every other and has no chain drift. The index is 100 in \`base_period\`. ${kindsText.join(' ')} \`interval\` is the 95% confidence interval, from resampling neighborhoods. A city has a land or home series only with at least ${CITY_RULES.minDeals} deals in every quarter and a stable index: its changes have a margin of at most ${CITY_RULES.maxMargin * 100}% on average, and it ends within ${CITY_RULES.maxDrift * 100}% of a direct comparison of its first and last period (\`chain_drift_pct\`); \`cities_without_series\` lists the other cities, and the national series include every city. \`sample_size\` counts all deals (contracts, listings) of a period, \`matched_sample_size\` the compared ones. \`price_source\` is \`asking\` when every series returned is built on this service's listings, otherwise \`registered\`; each series has its own \`price_source\`. \`attribution\` is null when every series returned is built on the regulator's indicators or on this service's listings.`,
  ...OFFICIAL,
  parameters,
  response: single(
    object({
      release: object({
        id: string,
        month: string,
        revision: integer,
        note: nullable(string),
        published_at: timestamp,
      }),
      price_source: oneOf(PRICE_SOURCES),
      series: arrayOf(SERIES_SCHEMA),
      cities_without_series: arrayOf(CITY_WITHOUT_SERIES_SCHEMA),
      attribution: nullable(ATTRIBUTION_SCHEMA),
    }),
  ),
  errors: ['release_not_found'],
  handle: async ({ query, services }) => {
    const { pool } = services;
    const releases = await publishedReleases(pool);
    const release = findRelease(releases, query.release);
    if (release === undefined || release.published_at === null)
      throw new ApiError('release_not_found', {
        param: 'release',
        details: { available_releases: releases.map(releaseId) },
      });
    const { series, citiesWithoutSeries } = await readRelease(pool, release, query);
    return dataResponse({
      release: {
        id: releaseId(release),
        month: release.month,
        revision: release.revision,
        note: release.note,
        published_at: isoSeconds(release.published_at),
      },
      price_source: priceSourceOf(series, query),
      series,
      cities_without_series: citiesWithoutSeries.filter(matchesQuery(query)),
      attribution: attributionFor(series),
    });
  },
});

const matchesQuery =
  ({ scope, city, kind, property }: PropertyIndexQuery) =>
  (without: CityWithoutSeries): boolean =>
    scope !== 'national' &&
    (city === undefined || city === without.city) &&
    (kind === undefined || kind.includes(without.kind)) &&
    (property === undefined || property.includes(SERIES_KINDS[without.kind].property));

/** Without series, the requested kinds determine the result. */
function priceSourceOf(
  series: readonly Pick<Series, 'kind'>[],
  { kind, property }: PropertyIndexQuery,
): SeriesKind['price_source'] {
  const requested = KINDS.filter(
    (each) =>
      (kind === undefined || kind.includes(each)) &&
      (property === undefined || property.includes(SERIES_KINDS[each].property)),
  );
  const kinds = series.length > 0 ? series.map((one) => one.kind) : requested;
  const sources = new Set(kinds.map((each) => SERIES_KINDS[each].price_source));
  return sources.size === 1 && sources.has('asking') ? 'asking' : 'registered';
}

/** Sources without an open data license require none. */
function attributionFor(series: readonly Series[]) {
  const keys = [...new Set(series.map(({ source_key }) => source_key))].filter(isLicensed);
  return keys.length === 0 ? null : attributionOf(...keys);
}

const isLicensed = (key: IndexSource): key is IndexSource & DatasetKey =>
  key === 'regulator_rent_index' || key === 'justice_transactions';
