import { arrayOf, integer, nullable, number, object, oneOf, single, string } from '#domain/json-schema.ts';
import { attributionOf } from '#domain/official/attribution.ts';
import { INDEX_ITEMS, REGION_OF_CITY, REGIONS } from '#domain/official/official-vocabulary.ts';
import { quarterLabel } from '#domain/official/quarters.ts';
import { COVERAGE_FLAGS, coverageOfRelease } from '#domain/official/rules.ts';
import { dataResponse, defineEndpoint, type Parameter } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { readPriceIndex } from '#stores/postgres/official.ts';
import { amount } from '../market/schemas.ts';
import {
  cityParameter,
  coverageSchema,
  OFFICIAL,
  OPEN_DATA_NOTE,
  periodSchema,
  quarterParameters,
  quarterRange,
  registeredSchema,
} from './common.ts';

const itemParameter = {
  name: 'item',
  schema: { type: 'array', items: { type: 'string', enum: INDEX_ITEMS }, minItems: 1, maxItems: 100 },
  description: 'One or more items of the index, such as `villa`. Defaults to all items published for the region.',
  example: 'general,residential',
} as const satisfies Parameter;

const regionCityParameter = {
  ...cityParameter,
  required: false,
  description: 'City slug from `GET /cities`, which selects the region of the city. Defaults to the Kingdom.',
} as const;

const LEVELS = Object.values(REGIONS);

export const marketIndex = defineEndpoint({
  ...OFFICIAL,
  path: '/v1/market/index',
  operationId: 'getMarketIndex',
  summary: 'Get the official real-estate price index',
  description: `Returns the quarterly real-estate price index of the General Authority for Statistics for the region of \`city\`, or for the entire Kingdom if \`city\` is absent. Values are relative to \`base_year\` = 100 and comparable only within one base. Changes are as published, in percent. Every published point has the \`coverage_flag\` \`full\`; \`coverage.notes\` lists missing quarters. ${OPEN_DATA_NOTE}`,
  parameters: [regionCityParameter, itemParameter, ...quarterParameters],
  response: single(
    object({
      filters: object({ city: nullable(string), items: arrayOf(oneOf(INDEX_ITEMS)) }),
      region: object({ slug: string, name_ar: string, name_en: string }),
      period: periodSchema,
      series: arrayOf(
        object({
          item: oneOf(INDEX_ITEMS),
          name_ar: string,
          points: arrayOf(
            object({
              quarter: string,
              coverage_flag: oneOf(COVERAGE_FLAGS),
              base_year: integer,
              index: number,
              weight_pct: amount,
              change_qoq_pct: amount,
              change_yoy_pct: amount,
            }),
          ),
        }),
      ),
      coverage: object(coverageSchema),
      ...registeredSchema,
    }),
  ),
  errors: ['period_not_found'],
  handle: async ({ query, services }) => {
    const { city, item } = query;
    const slug = city === undefined ? 'kingdom' : REGION_OF_CITY[city];
    const region = LEVELS.find((level) => level.slug === slug);
    const rows = region ? await readPriceIndex(services.pool, region.slug) : [];
    const available = [...new Set(rows.map(({ quarter }) => quarter))].sort((a, b) => a - b);
    const range = quarterRange(query, available);
    if (!region) throw new ApiError('period_not_found');
    const matching = rows.filter(
      (row) => row.quarter >= range.from && row.quarter <= range.to && (item === undefined || item.includes(row.item)),
    );
    return dataResponse({
      filters: { city: city ?? null, items: item ?? [] },
      region,
      period: { quarter_from: quarterLabel(range.from), quarter_to: quarterLabel(range.to) },
      price_source: 'registered',
      series: INDEX_ITEMS.flatMap((each) => {
        const mine = matching.filter((row) => row.item === each);
        const points = mine.map((row) => ({
          quarter: quarterLabel(row.quarter),
          coverage_flag: 'full' as const,
          base_year: row.base_year,
          index: row.index_value,
          weight_pct: row.weight,
          change_qoq_pct: percent(row.change_qoq),
          change_yoy_pct: percent(row.change_yoy),
        }));
        const newest = mine.at(-1);
        return newest ? [{ item: each, name_ar: newest.item_ar, points }] : [];
      }),
      coverage: coverageOfRelease(available),
      attribution: attributionOf('statistics_price_index'),
    });
  },
});

/** The statistics office publishes fractions. */
const percent = (share: number | null): number | null =>
  share === null ? null : Math.round(share * 1_000_000) / 10_000;
